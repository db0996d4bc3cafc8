import { basename, join, resolve } from 'node:path'
import type { Options } from './cli.ts'
import { type Contract, loadContract } from './contract/load.ts'
import { emitAsyncAPI } from './emit/asyncapi/index.ts'
import type { OutFile, Sources } from './emit/core/file.ts'
import { format } from './emit/core/format.ts'
import type { Language } from './emit/core/language.ts'
import { carryOut, isUpToDate, plan, recordedNames } from './emit/core/manifest.ts'
import { docsSnippets } from './emit/docs/code.ts'
import { emitDocs } from './emit/docs/index.ts'
import { LANGUAGES, NAME_RULES } from './languages.ts'
import { loadFamilies } from './lower/families.ts'
import { lower } from './lower/lower.ts'
import { loadPlatform, spelled } from './lower/platform.ts'
import { loadPolicy } from './lower/policy.ts'
import { prune } from './lower/prune.ts'
import { ownersAt, problemsOf } from './lower/refusals.ts'
import type { Api, Family, Platform, Policy } from './model/types.ts'
import type { Maker } from './packages/make.ts'
import { startMakers } from './packages/threads.ts'
import { biomeConfiguration, ROOT, readGuides } from './repository.ts'
import { summaryOf } from './summary.ts'
import { formatProblem, type Location, type Problem, sortProblems } from './yaml/index.ts'

/** What a run says, its exit code, and what it depends on. */
export interface Outcome {
  exit: 0 | 1
  /** Lines for stdout. */
  said: string[]
  /** Lines for stderr. */
  messages: string[]
  /** The files that a further run would read. */
  inputs: string[]
}

/** The inputs of a run. */
interface Inputs {
  contract: Contract
  platform: Platform
  policy: Policy
  families: Family[]
}

/** The files that a run makes; none if there is a problem. */
interface Made {
  files: OutFile[]
  removed: string[]
}

const NO_FAMILIES = { families: [], problems: [] }

/** Generates everything. Nothing is written where there is a problem. */
export async function run(options: Options): Promise<Outcome> {
  const makers = startMakers() // They load while the inputs do.
  const { inputs, problems, read } = await load(options)
  const { files, removed } = inputs
    ? await make(inputs, problems, options, makers)
    : { files: [], removed: [] }
  const messages = sortProblems(problems).map(formatProblem)
  messages.push(...removed.map((what) => `left out: ${what}`))
  if (!inputs || isFatal(problems, options)) return { exit: 1, said: [], messages, inputs: read }
  const written = write(files, inputs.platform, options)
  return { ...written, messages: [...messages, ...written.messages], inputs: read }
}

/** load → lower → find clashes of names in each language → prune → emit → format */
async function make(
  inputs: Inputs,
  problems: Problem[],
  options: Options,
  makers: ReadonlyMap<Language, Maker>,
): Promise<Made> {
  const { contract, platform, policy, families } = inputs
  const lowered = lower(contract, platform, policy)

  // What cannot be made anyway is refused once, and not by each language again.
  const sound = prune(lowered.api, lowered.unsupported)
  const clashes = [...makers.values()].map((maker) => maker.nameClashes(sound.api))
  const refusals = (await Promise.all(clashes)).flat()
  problems.push(...lowered.problems, ...problemsOf(refusals, contract))
  if (isFatal(problems, options)) return { files: [], removed: [] }

  const refused = ownersAt(
    refusals.map(({ pointer }) => pointer),
    lowered.api,
  )
  const { api, removed } = prune(lowered.api, new Set([...lowered.unsupported, ...refused]))

  const files = await emit(api, makers, families, options)
  return { files: format(files, biomeConfiguration()), removed }
}

/** The files that a run begins with; a contract may refer to further ones. */
export function inputsOf({ contract, names, overlays }: Options): string[] {
  return [
    contract ?? join(ROOT, 'openapi.yaml'),
    names ?? join(ROOT, 'sdks/names.yaml'),
    join(ROOT, 'sdks/behavior.yaml'),
    ...overlays,
  ]
}

interface Read {
  inputs: Inputs | null
  problems: Problem[]
  /** The files that the inputs stand in. */
  read: string[]
}

async function load(options: Options): Promise<Read> {
  const [contractFile = '', namesFile = '', behaviorFile = ''] = inputsOf(options)
  const [loaded, names, behavior, proved] = await Promise.all([
    loadContract(contractFile, {
      overlays: options.overlays,
      strict: options.contract === null,
    }),
    loadPlatform(namesFile, NAME_RULES),
    loadPolicy(behaviorFile),
    // The pages are this repository's own.
    options.out === null ? loadFamilies(join(ROOT, 'sdks/conformance')) : NO_FAMILIES,
  ])
  const { contract } = loaded
  const { platform, locate } = names
  const problems = [loaded, names, behavior, proved].flatMap(({ problems }) => problems)
  if (platform && options.out === null) problems.push(...renamed(platform, locate))
  const { policy } = behavior
  const { families } = proved
  const inputs = contract && platform && policy && { contract, platform, policy, families }
  const read = [...inputsOf(options), ...loaded.files].map((file) => resolve(file))
  return { inputs, problems, read: [...new Set(read)] }
}

/** Folders and files by hand have names too, which only `npm run rename` changes. */
function renamed(platform: Platform, locate: (name: string) => Location): Problem[] {
  const recorded = recordedNames(ROOT)
  if (!recorded) return []
  return Object.entries(spelled(platform)).flatMap(([name, value]): Problem[] => {
    if (name === 'repository' || recorded[name] === value) return []
    const message = `${name} is \`${value}\` here, but \`${recorded[name]}\` in the files of the repository`
    return [{ severity: 'error', location: locate(name), message, fix: 'Run `npm run rename`' }]
  })
}

async function emit(
  api: Api,
  makers: ReadonlyMap<Language, Maker>,
  families: readonly Family[],
  options: Options,
): Promise<OutFile[]> {
  const settings = { isOwn: options.out === null, sources: sourcesOf(options) }
  const { isOwn, sources } = settings
  const snippets = isOwn ? docsSnippets(api) : []
  const made = await Promise.all(
    [...makers].map(async ([language, maker]) => {
      // Asked for at once, since a maker may be in another thread.
      const [files, code] = await Promise.all([
        maker.makePackage(api, settings),
        maker.writeSnippets(snippets, api),
      ])
      return { language, files, code }
    }),
  )
  const files = made.flatMap(({ files }) => files)
  const others = emitAsyncAPI(api, sources)
  if (!isOwn) return [...files, ...others]
  const code = new Map(made.map(({ language, code }) => [language, code]))
  const guides = { templates: readGuides(), readmes: readmesIn(files) }
  return [...files, ...others, ...emitDocs(api, families, code, guides, sources)]
}

/** The README of each language, by the name of the language. */
function readmesIn(files: readonly OutFile[]): Map<string, string> {
  return new Map(
    LANGUAGES.map(({ name }) => {
      const readme = files.find(({ path }) => path === `sdks/${name}/README.md`)
      return [name, readme?.content ?? '']
    }),
  )
}

type Written = Omit<Outcome, 'inputs'>

/** Writes what has changed, or with `--check` lists it. */
function write(files: readonly OutFile[], platform: Platform, options: Options): Written {
  const names = options.out === null ? spelled(platform) : null
  const planned = plan(options.out ?? ROOT, files, names)
  if (planned.obstacles.length > 0) {
    const obstacles = planned.obstacles.map(({ path, message, fix }): Problem => {
      const location = { file: join(options.out ?? '', path), line: 1, column: 1 }
      return { severity: 'error', location, message, fix }
    })
    return { exit: 1, said: [], messages: sortProblems(obstacles).map(formatProblem) }
  }
  if (!options.check) {
    carryOut(planned)
    return { exit: 0, said: summaryOf(planned, options.out), messages: [] }
  }
  if (isUpToDate(planned)) return { exit: 0, said: [], messages: [] }
  const stale = [...planned.write.map(({ path }) => path), ...planned.remove].sort()
  const listed = stale.map((path) => `not up to date: ${path}`)
  return { exit: 1, said: [], messages: [...listed, `Run: ${command(options)}`] }
}

function isFatal(problems: readonly Problem[], { skipUnsupported }: Options): boolean {
  return problems.some(
    ({ severity }) => severity === 'error' || (severity === 'unsupported' && !skipUnsupported),
  )
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
