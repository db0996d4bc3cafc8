// Programs that rules rewrote compile with the new package, and do what they did with the old one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../changes/types.ts'
import { findings, rewrite } from '../upgrades/rules/index.ts'
import { type Case, EXTENSIONS, readCases } from './upgrades/corpus.ts'
import { bundle } from './witnesses/bundle.ts'
import { type Performed, perform } from './witnesses/stage.ts'
import { callerOf, type Version } from './witnesses/witness.ts'

const cases = (await readCases()).filter(({ rules }) =>
  LANGUAGES.some((language) => rules[language].some(({ fix }) => fix)),
)

/** The service returns its example of a request without the part, whatever it gets. */
const UNSEEN = new Set(['query-parameter-renamed', 'request-field-optional-renamed'])

/** What a program did: before with the old package, after when it was rewritten for the new one. */
type Shown = Record<Version, { complaints: string[]; value: unknown; error: string | undefined }>

const shown = new Map<string, Shown>()

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'upgrades-'))
  const written = await rewriteAll(folder)
  for (const [index, one] of bundle(cases.map(({ witness }) => witness)).entries()) {
    const kinds = new Set(one.witnesses.map(({ kind }) => kind))
    const within = join(folder, String(index))
    const files = (version: Version) =>
      new Map(
        LANGUAGES.map((language) => [
          language,
          new Map(written[version].get(language)?.filter(([kind]) => kinds.has(kind))),
        ]),
      )
    const before = await perform(one, 'before', files('before'), within)
    const after = await perform(one, 'after', files('after'), within)
    for (const kind of kinds) {
      for (const language of LANGUAGES) {
        shown.set(`${kind} ${language}`, {
          before: resultOf(kind, before.get(language)),
          after: resultOf(kind, after.get(language)),
        })
      }
    }
  }
  return () => rmSync(folder, { recursive: true, force: true })
}, 600_000)

describe.each(cases.map(({ kind }) => kind))('%s', (kind) => {
  it.each(LANGUAGES)('%s', (language) => {
    const { before, after } = shown.get(`${kind} ${language}`) as Shown
    expect(before).toMatchObject({ complaints: [], error: undefined })
    const right = UNSEEN.has(kind) ? { ...before, value: after.value } : before
    expect(after).toEqual(right)
  })
})

type Files = Map<string, Array<[kind: string, file: string]>>

async function rewriteAll(folder: string): Promise<Record<Version, Files>> {
  const files: Record<Version, Files> = { before: new Map(), after: new Map() }
  mkdirSync(join(folder, 'programs'))
  writeFileSync(join(folder, 'programs/package.json'), '{ "type": "module" }')
  for (const language of LANGUAGES) {
    const after = cases.map(async ({ kind, witness, rules, sources }: Case) => {
      const source = sources[language] ?? ''
      const hits = await findings(rules[language], language, source)
      const file = join(folder, 'programs', kind, `caller.${EXTENSIONS[language]}`)
      mkdirSync(join(folder, 'programs', kind), { recursive: true })
      writeFileSync(file, rewrite(source, hits))
      const before = callerOf(witness, EXTENSIONS[language]) ?? ''
      return { before: [kind, before] as [string, string], after: [kind, file] as [string, string] }
    })
    const written = await Promise.all(after)
    files.before.set(
      language,
      written.map(({ before }) => before),
    )
    files.after.set(
      language,
      written.map(({ after }) => after),
    )
  }
  return files
}

function resultOf(kind: string, performed: Performed | undefined): Shown[Version] {
  const run = performed?.runs.get(kind)
  const { errors = [] } = performed?.complaints?.get(kind) ?? {}
  return { complaints: errors, value: run?.value, error: run?.error?.message }
}
