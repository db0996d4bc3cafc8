import type { Api, Platform } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile } from '../core/file.ts'
import { linksOf } from '../core/links.ts'
import { quote } from './literal.ts'

/** The files that receive deliveries, and that make them for tests. */
const WEBHOOKS = /\/(?:webhooks|testing)(?:\/|\.rbs?$)/

/**
 * The rest of a gem for another contract: the runtime under its name, and files that build it.
 *
 * Ruby names the module in every file, so a handwritten file names it once, on a separate line,
 * and in no other way: neither in a string, nor in a comment, nor in a path that it requires. It
 * writes Ruby's own constants as `::File`, because the contract may have a schema of that name.
 *
 * @param runtime The handwritten files of this repository's gem, by their paths in its folder.
 */
export function packageFiles(api: Api, runtime: readonly OutFile[]): OutFile[] {
  const { platform } = api
  const { gem, rubyModule } = platform
  const files = hasEvents(api) ? runtime : runtime.filter(({ path }) => !WEBHOOKS.test(path))
  return files.map(({ path, content }) => {
    if (path.endsWith('.gemspec')) {
      return { path: `${gem}.gemspec`, content: gemspec(content, platform) }
    }
    return {
      path: path.replace(/^lib\/\w+\//, `lib/${gem}/`),
      content: content.replace(/^module \w+$/m, `module ${rubyModule}`),
    }
  })
}

function gemspec(content: string, platform: Platform): string {
  const { gem, rubyModule, title } = platform
  return content
    .replace(/^require_relative .*$/m, `require_relative ${quote(`lib/${gem}/version`)}`)
    .replace(/(\.name = ).*$/m, `$1${quote(gem)}`)
    .replace(/(\.version = ).*$/m, `$1${rubyModule}::VERSION`)
    .replace(/(\.summary = ).*$/m, `$1${quote(`The Ruby client of the ${title} API.`)}`)
    .replace(/(\.authors = ).*$/m, `$1[${quote(title)}]`)
    .replace(LINKS, () => links(platform))
    .replace('"AGENTS.md", "CHANGELOG.md", ', '')
}

/** The lines of a gemspec that link. */
const LINKS = /(?:^ {2}spec\.(?:homepage|metadata\["\w+_uri"\]) = .*\n)+/m

function links(platform: Platform): string {
  const known = linksOf(platform, null)
  if (!known) return ''
  return [
    `  spec.homepage = ${quote(known.homepage)}\n`,
    `  spec.metadata["source_code_uri"] = ${quote(known.source)}\n`,
    `  spec.metadata["bug_tracker_uri"] = ${quote(known.issues)}\n`,
  ].join('')
}
