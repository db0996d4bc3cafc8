// Plays the witnesses of a bundle: both packages are generated in each language, and every program is
// compiled and run with the old package and the new one, against the old service and the new one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../../languages.ts'
import { run as generate } from '../../pipeline.ts'
import type { Bundle } from './bundle.ts'
import { deliveriesOf, SECRET } from './deliveries.ts'
import { effectOf, type Seen } from './effects.ts'
import type { Complaints, Harness, Programs, Run, Surroundings } from './harness/language.ts'
import { load, type PathRule, type ReceivedRequest, type Service } from './service.ts'
import { callerOf, NAMES, VERSIONS, type Version, type Witness } from './witness.ts'

/** Who is hit by a change. Null where a change cannot reach them. */
export interface Audiences {
  /** Takes the new package, and talks to the new service. */
  upgrade: Seen
  /** Keeps the old package, and talks to the new service. */
  stay: Seen | null
  /** Keeps the old package, and receives the new events. */
  receive: Seen | null
}

/** What a witness shows in a language, or why it shows nothing. */
export type Shown = Audiences | { invalid: string }

/** By kind, then by language. */
export type Verdicts = Map<string, Record<string, Shown>>

export const harnesses = new Map<string, Harness>(
  await Promise.all(
    LANGUAGES.map(async ({ name }): Promise<[string, Harness]> => {
      return [name, await import(`./harness/${name}.ts`)]
    }),
  ),
)

/** Plays a bundle in a folder of its own. */
export async function play(bundle: Bundle, folder: string): Promise<Verdicts> {
  const contracts = await Promise.all(VERSIONS.map((version) => make(bundle, version, folder)))
  const services = await Promise.all(
    VERSIONS.map((version, index) => load(contracts[index] ?? '', rulesOf(bundle, version))),
  )
  const shown = await Promise.all(
    [...harnesses].map(async ([language, harness]) => {
      const [before, after] = await Promise.all(services.map((serve) => serve()))
      if (!before || !after) throw new Error('Each version has a service.')
      try {
        const scene = { language, harness, folder, services: { before, after } }
        return [language, await playLanguage(bundle, scene)] as const
      } finally {
        before.close()
        after.close()
      }
    }),
  )
  return new Map(
    bundle.witnesses.map(({ kind }) => {
      const byLanguage = shown.flatMap(([language, kinds]) => {
        const seen = kinds.get(kind)
        return seen ? [[language, seen] as const] : []
      })
      return [kind, Object.fromEntries(byLanguage)]
    }),
  )
}

/** What programs did with the package of a version: what compiles also ran. */
export interface Performed {
  complaints: ReadonlyMap<string, Complaints> | null
  runs: ReadonlyMap<string, Run>
}

/** Compiles and runs programs, by language and kind, with one version of package and service. */
export async function perform(
  bundle: Bundle,
  version: Version,
  files: ReadonlyMap<string, ReadonlyMap<string, string>>,
  folder: string,
): Promise<Map<string, Performed>> {
  const contract = await make(bundle, version, folder)
  const serve = await load(contract, rulesOf(bundle, version))
  const service = await serve()
  const performed = [...files].map(async ([language, programs]) => {
    const harness = harnesses.get(language)
    if (!harness) throw new Error(`There is no harness for ${language}.`)
    const all: Programs = { package: join(folder, version, language), files: programs }
    const complaints = await harness.check(all)
    const right = new Map([...programs].filter(([kind]) => compiles(complaints)(kind)))
    const surroundings = { url: service.url, secret: SECRET, keyless: keylessOf(bundle) }
    const deliveries = deliveriesBy(bundle, version)
    const runs = await harness.run({ ...all, files: right }, { ...surroundings, deliveries })
    return [language, { complaints, runs }] as const
  })
  try {
    return new Map(await Promise.all(performed))
  } finally {
    service.close()
  }
}

export function rulesOf({ witnesses }: Bundle, version: Version): PathRule[] {
  const rules = witnesses.flatMap(({ kind, rules }) =>
    rules.map((rule) => ({ ...rule, part: kind })),
  )
  return rules.filter((rule) => rule.version === version)
}

/** Generates the packages of a version. Resolves to its contract. */
export async function make(
  { documents }: Pick<Bundle, 'documents'>,
  version: Version,
  folder: string,
): Promise<string> {
  const out = join(folder, version)
  mkdirSync(out, { recursive: true })
  const contract = join(folder, `${version}.yaml`)
  writeFileSync(contract, JSON.stringify(documents[version], null, 2))
  const options = { overlays: [], check: false, skipUnsupported: false, names: NAMES }
  const { exit, messages } = await generate({ ...options, contract, out })
  if (exit !== 0) throw new Error(messages.join('\n'))
  return contract
}

interface Scene {
  language: string
  harness: Harness
  folder: string
  services: Record<Version, Service>
}

async function playLanguage(bundle: Bundle, scene: Scene): Promise<Map<string, Shown>> {
  const { language, harness, folder, services } = scene
  const { witnesses } = bundle
  const programs = (version: Version, plays = (_: string) => true): Programs => ({
    package: join(folder, version, language),
    files: new Map(
      witnesses.flatMap((witness) => {
        const file = callerOf(witness, harness.extension)
        return file && plays(witness.kind) ? [[witness.kind, file]] : []
      }),
    ),
  })
  const keyless = keylessOf(bundle)
  const run = async (given: Programs, version: Version): Promise<Map<string, Run>> => {
    const service = services[version]
    const deliveries = deliveriesBy(bundle, version)
    const runs = await harness.run(given, {
      url: service.url,
      secret: SECRET,
      deliveries,
      keyless,
    })
    return withRequests(runs, witnesses, service.takeRequests())
  }

  const faults = await harness.check(programs('before'))
  const complaints = await harness.check(programs('after'))
  const old = programs('before', compiles(faults))
  const right = await run(old, 'before')
  const kept = await run(old, 'after')
  const upgraded = await run(programs('after', compiles(complaints)), 'after')

  const played = witnesses.filter((witness) => callerOf(witness, harness.extension))
  return new Map(
    played.map(({ kind, handlesEvents, isDeprecated }): [string, Shown] => {
      const was = right.get(kind)
      const invalid = faultOf(was, faults?.get(kind), isDeprecated)
      if (!was || invalid) return [kind, { invalid: invalid ?? 'It did not run.' }]
      const seen = effectOf(was, kept.get(kind))
      const upgrade = effectOf(was, upgraded.get(kind), complaints?.get(kind))
      return [
        kind,
        {
          upgrade,
          ...(handlesEvents ? { stay: null, receive: seen } : { stay: seen, receive: null }),
        },
      ]
    }),
  )
}

/** The kinds of the programs without an API key. */
function keylessOf({ witnesses }: Bundle): string[] {
  return witnesses.filter(({ hasKey }) => !hasKey).map(({ kind }) => kind)
}

/** What does not compile does not run. */
function compiles(complaints: ReadonlyMap<string, Complaints> | null) {
  return (kind: string) => (complaints?.get(kind)?.errors ?? []).length === 0
}

function deliveriesBy({ witnesses }: Bundle, version: Version): Surroundings['deliveries'] {
  return Object.fromEntries(
    witnesses.map(({ kind, documents }) => [kind, deliveriesOf(documents[version])]),
  )
}

/** Adds what the service received to the runs of the programs for which it counts. */
function withRequests(
  runs: ReadonlyMap<string, Run>,
  witnesses: readonly Witness[],
  requests: readonly ReceivedRequest[],
): Map<string, Run> {
  const observed = new Map(runs)
  for (const { kind } of witnesses.filter(({ observesRequests }) => observesRequests)) {
    const run = runs.get(kind)
    const own = requests.filter(({ target }) => target.split(/[/?]/).includes(kind))
    if (run) observed.set(kind, { ...run, requests: own })
  }
  return observed
}

/** Why a program is no witness: it must be right before the change. */
function faultOf(
  run: Run | undefined,
  complaints: Complaints | undefined,
  isDeprecated: boolean,
): string | null {
  const warnings = [...(complaints?.warnings ?? []), ...(run?.warnings ?? [])]
  const [fault] = [
    ...(complaints?.errors ?? []),
    ...(run?.error ? [run.error.message] : []),
    ...(isDeprecated ? [] : warnings),
  ]
  return fault ?? null
}
