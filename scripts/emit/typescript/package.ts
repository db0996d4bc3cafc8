import type { Api, Platform } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile } from '../core/file.ts'
import { linksOf } from '../core/links.ts'

/** The tools that build a package. The others are for the tests of this repository. */
const BUILD_TOOLS = ['msw', 'openapi-fetch', 'tsup', 'typescript', '@types/node']

/**
 * The remaining files of a package for another contract: the runtime, and the files that build it.
 *
 * @param runtime The hand-written files of this repository's package.
 * @param root The repository's package.json and tsconfig.base.json.
 */
export function packageFiles(
  api: Api,
  runtime: readonly OutFile[],
  root: readonly OutFile[],
): OutFile[] {
  const withWebhooks = hasEvents(api)
  const tools = toolsIn(root)
  return runtime
    .filter(({ path }) => withWebhooks || !/^src\/(?:webhooks|testing)\//.test(path))
    .map((file) => {
      const adapt = ADAPTED[file.path]
      return adapt ? { ...file, content: adapt(file.content, api, tools, withWebhooks) } : file
    })
}

interface Tools {
  /** `compilerOptions` that all packages share. */
  compilerOptions: Readonly<Record<string, unknown>>
  /** Versions of the build tools that the package does not name itself. */
  versions: Readonly<Record<string, string>>
}

function toolsIn(root: readonly OutFile[]): Tools {
  const parsed = (name: string) => {
    return JSON.parse(root.find(({ path }) => path === name)?.content ?? '{}')
  }
  return {
    compilerOptions: parsed('tsconfig.base.json').compilerOptions,
    versions: parsed('package.json').devDependencies,
  }
}

type Adapt = (content: string, api: Api, tools: Tools, withWebhooks: boolean) => string

/** Files that name the package, or differ outside this repository. */
const ADAPTED: Readonly<Record<string, Adapt>> = {
  'package.json': packageJson,
  'tsconfig.json': tsconfig,
  'tsup.config.ts': (content, _api, _tools, withWebhooks) =>
    withWebhooks ? content : content.replace(/^.*'src\/(?:webhooks|testing)\/.*\n/gm, ''),
}

function packageJson(
  content: string,
  { platform }: Api,
  { versions }: Tools,
  withWebhooks: boolean,
): string {
  const own = JSON.parse(content) as {
    exports: Record<string, unknown>
    files: string[]
    scripts: Record<string, string>
    devDependencies: Record<string, string>
  }
  const entries = Object.entries(own.exports).filter(
    ([entry]) => withWebhooks || !/^\.\/(?:webhooks|testing)\b/.test(entry),
  )
  const known = { ...own.devDependencies, ...versions }
  const adapted = {
    ...own,
    name: platform.npm,
    description: `The TypeScript client of the ${platform.title} API.`,
    ...links(platform),
    files: own.files.filter((file) => file !== 'AGENTS.md'),
    exports: Object.fromEntries(entries),
    scripts: { build: own.scripts.build, lint: own.scripts.lint },
    devDependencies: Object.fromEntries(
      BUILD_TOOLS.map((tool) => [tool, known[tool]]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ),
  }
  return `${JSON.stringify(adapted, null, 2)}\n`
}

/** The fields of a package.json; those that are undefined are left out. */
function links(platform: Platform) {
  const known = linksOf(platform, null)
  return {
    homepage: known?.homepage,
    repository: known ? { type: 'git', url: `git+${known.source}.git` } : undefined,
    bugs: known?.issues,
  }
}

function tsconfig(content: string, _api: Api, { compilerOptions }: Tools): string {
  const own = JSON.parse(content) as { compilerOptions: object; include: string[] }
  const adapted = {
    compilerOptions: { ...compilerOptions, ...own.compilerOptions },
    include: own.include.filter((folder) => folder !== 'test'),
  }
  return `${JSON.stringify(adapted, null, 2)}\n`
}
