import type { Api, Platform } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { linksOf } from '../core/links.ts'
import { quote } from './literal.ts'
import { emitResources } from './resources.ts'
import { emitTypes } from './types.ts'

/** The handwritten files, which are the same in every package. Tests stay in this repository. */
const SHARED =
  /^(?:src\/\w+\/(?:(?:_core|webhooks)\/.+\.py|(?:_version|opentelemetry|testing)\.py|py\.typed)|pyproject\.toml|LICENSE)$/

/** The files that only packages with signed events have. */
const WEBHOOKS = /^src\/\w+\/(?:webhooks\/|testing\.py$)/

/** The modules of the runtime that only some contracts need. */
const OPTIONAL = /\/_core\/(dates|files|untagged)\.py$/

/** No file is written here, so no header matters. */
const NO_SOURCES: Sources = { contract: '', names: '', behavior: '' }

/**
 * The rest of a package for another contract: the runtime as it is, and files that build it.
 *
 * @param runtime The files of this repository's package, from its folder.
 */
export function packageFiles(api: Api, runtime: readonly OutFile[]): OutFile[] {
  const { pythonImport } = api.platform
  const generated = [emitTypes(api, NO_SOURCES), ...emitResources(api, NO_SOURCES)]
  const isNeeded = (path: string) => {
    const module = OPTIONAL.exec(path)?.[1]
    return !module || generated.some(({ content }) => content.includes(`._core.${module} import`))
  }
  return runtime
    .filter(({ path }) => SHARED.test(path) && isNeeded(path))
    .filter(({ path }) => hasEvents(api) || !WEBHOOKS.test(path))
    .map(({ path, content }) => ({
      path: path.replace(/^src\/\w+\//, `src/${pythonImport}/`),
      content: path === 'pyproject.toml' ? pyproject(content, api) : content,
    }))
}

/** Names the package, which has no tests. */
function pyproject(content: string, { platform }: Api): string {
  const description = `The Python client of the ${platform.title} API.`
  return content
    .replace(/^name = .*$/m, () => `name = ${quote(platform.pypi)}`)
    .replace(/^description = .*$/m, () => `description = ${quote(description)}`)
    .replace(/^path = .*$/m, () => `path = ${quote(`src/${platform.pythonImport}/_version.py`)}`)
    .replace(/^packages = .*$/m, () => `packages = [${quote(`src/${platform.pythonImport}`)}]`)
    .replace(/^\[project\.urls\]\n(?:.+\n)+\n/m, () => urls(platform))
    .replace(/^exclude = .*\n/m, '')
    .replaceAll('["src", "tests"]', '["src"]')
    .replaceAll('"/src", "/tests", "/AGENTS.md", "/CHANGELOG.md", ', '"/src", ')
    .replace(/^\[tool\.hatch\.build\.targets\.wheel\.force-include\]\n(?:.+\n)+\n/m, '')
    .replace(/^\[tool\.pytest\.ini_options\]\n(?:.+\n)+\n/m, '')
}

function urls(platform: Platform): string {
  const links = linksOf(platform, null)
  if (!links) return ''
  const { homepage, source, issues } = links
  const lines = Object.entries({ Homepage: homepage, Source: source, Issues: issues })
  return ['[project.urls]', ...lines.map(([name, url]) => `${name} = ${quote(url)}`), '', ''].join(
    '\n',
  )
}
