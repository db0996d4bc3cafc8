import { basename, join } from 'node:path'
import type { Options } from './cli.ts'
import { loadContract } from './contract/load.ts'
import { emitAsyncAPI } from './emit/asyncapi/index.ts'
import type { OutFile, Sources } from './emit/core/file.ts'
import { format } from './emit/core/format.ts'
import type { Generator, Language } from './emit/core/language.ts'
import { carryOut, isUpToDate, plan } from './emit/core/manifest.ts'
import { emitReadme } from './emit/core/readme.ts'
import { emitDocs } from './emit/docs/index.ts'
import { LANGUAGES, loadGenerators, NAME_RULES } from './languages.ts'
import { loadFamilies } from './lower/families.ts'
import { lower } from './lower/lower.ts'
import { loadPlatform } from './lower/platform.ts'
import { loadPolicy } from './lower/policy.ts'
import type { Api, Family } from './model/types.ts'
import { biomeConfiguration, ROOT, readRoot, readRuntime, readTemplates } from './repository.ts'
import { formatProblem, type Problem, sortProblems } from './yaml/index.ts'

/** What a run has to say; its exit code. */
export interface Outcome {
  exit: 0 | 1
  /** Lines for stderr. */
  messages: string[]
}

/** One document and what is made from it. */
interface Made {
  files: OutFile[]
  problems: Problem[]
  removed: string[]
}

const NO_FAMILIES = { families: [], problems: [] }

/** Reads, builds, emits and writes; nothing is written where there is a problem. */
export async function run(options: Options): Promise<Outcome> {
  const made = await make(options)
  const messages = sortProblems(made.problems).map(formatProblem)
  messages.push(...made.removed.map((what) => `left out: ${what}`))
  if (made.problems.some((problem) => isFatal(problem, options))) return { exit: 1, messages }

  const directory = options.out ?? ROOT
  const planned = plan(directory, made.files)
  if (planned.obstacles.length > 0) {
    const obstacles = planned.obstacles.map(({ path, message, fix }): Problem => {
      const location = { file: join(options.out ?? '', path), line: 1, column: 1 }
      return { severity: 'error', location, message, fix }
    })
    return { exit: 1, messages: [...messages, ...sortProblems(obstacles).map(formatProblem)] }
  }
  if (!options.check) {
    carryOut(planned)
    return { exit: 0, messages }
  }
  if (isUpToDate(planned)) return { exit: 0, messages }
  const stale = [...planned.write.map(({ path }) => path), ...planned.remove].sort()
  const told = stale.map((path) => `not up to date: ${path}`)
  return { exit: 1, messages: [...messages, ...told, `Run: ${command(options)}`] }
}

function isFatal({ severity }: Problem, { skipUnsupported }: Options): boolean {
  return severity === 'error' || (severity === 'unsupported' && !skipUnsupported)
}

async function make(options: Options): Promise<Made> {
  const contractFile = options.contract ?? 'openapi.yaml'
  const namesFile = options.names ?? 'sdks/names.yaml'
  const [loaded, names, behavior, proved] = await Promise.all([
    loadContract(options.contract ?? join(ROOT, contractFile), {
      overlays: options.overlays,
      strict: options.contract === null,
    }),
    loadPlatform(options.names ?? join(ROOT, namesFile), NAME_RULES),
    loadPolicy(join(ROOT, 'sdks/behavior.yaml')),
    // The pages are this repository's own.
    options.out === null ? loadFamilies(join(ROOT, 'sdks/conformance')) : NO_FAMILIES,
  ])
  const problems = [loaded, names, behavior, proved].flatMap(({ problems }) => problems)
  const { contract } = loaded
  const { platform } = names
  const { policy } = behavior
  if (!contract || !platform || !policy) return { files: [], problems, removed: [] }

  const { skipUnsupported } = options
  const generators = await loadGenerators()
  const refusals = (api: Api) =>
    [...generators.values()].flatMap(({ nameClashes }) => nameClashes(api))
  const lowered = lower(contract, { platform, policy, refusals, skipUnsupported })
  problems.push(...lowered.problems)
  if (problems.some((problem) => isFatal(problem, options))) {
    return { files: [], problems, removed: [] }
  }
  const sources = sourcesOf(options)
  const files = await emit(lowered.api, generators, proved.families, sources, options)
  return { files: format(files, biomeConfiguration()), problems, removed: lowered.removed }
}

async function emit(
  api: Api,
  generators: ReadonlyMap<Language, Generator>,
  families: readonly Family[],
  sources: Sources,
  { out }: Options,
): Promise<OutFile[]> {
  const packages = await Promise.all(
    [...generators].map(async ([language, { emit, readmeSlots, packageFiles }]) => {
      const generated = await emit(api, sources)
      const template = readTemplates(language)[out === null ? 'repository' : 'package']
      const files = [...generated, emitReadme(template, readmeSlots(api), sources)]
      if (out === null) return within(`sdks/${language.name}`, files)
      const shared = packageFiles(api, readRuntime(language), readRoot(language))
      return within(language.name, [...files, ...shared])
    }),
  )
  const docs = out === null ? emitDocs(api, families, LANGUAGES, sources) : []
  return [...packages.flat(), ...emitAsyncAPI(api, sources), ...docs]
}

function within(folder: string, files: readonly OutFile[]): OutFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }))
}

/** Headers name files without their folders, which differ from machine to machine. */
function sourcesOf({ contract, names }: Options): Sources {
  const name = (file: string) => basename(file).replace(/[^\w.-]/g, '_')
  return {
    contract: contract === null ? 'openapi.yaml' : name(contract),
    names: names === null ? 'sdks/names.yaml' : name(names),
    behavior: 'sdks/behavior.yaml',
  }
}

function command({ contract, out, names, overlays, skipUnsupported }: Options): string {
  const flags = [
    ...(contract === null ? [] : ['--contract', contract]),
    ...(out === null ? [] : ['--out', out]),
    ...(names === null ? [] : ['--names', names]),
    ...overlays.flatMap((overlay) => ['--overlay', overlay]),
    ...(skipUnsupported ? ['--skip-unsupported'] : []),
  ]
  return ['npm run generate', ...(flags.length > 0 ? ['--', ...flags] : [])].join(' ')
}
