// Every claim of the catalogue of changes has a witness: a program that is right before the change. It is
// compiled and run with both versions, and what happens to it must be what the catalogue says.
// WITNESS=<kind>,<kind> plays these alone; UPDATE=1 rewrites the expected reports.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadCatalogue } from '../changes/catalogue.ts'
import { AUDIENCES, LANGUAGES } from '../changes/types.ts'
import { bundle } from './witnesses/bundle.ts'
import { reportOf } from './witnesses/report.ts'
import { play, type Shown, type Verdicts } from './witnesses/stage.ts'
import { readWitnesses } from './witnesses/witness.ts'

/** Kinds that no two documents can show to a program. */
const UNWITNESSED: Readonly<Record<string, RegExp>> = {
  'A witness has a contract before and after, and one policy.': /^policy-/,
  'The service of a witness is on another address than its contract says.': /^server-/,
  'Without a signature there is no verifier, and so no program before.': /^signature-added$/,
  'A signed event is an object, whose fields are compared.': /^event-type-changed$/,
  'Nothing reaches the type, so no program has a value of it.': /^type-removed$/,
  'It is found in the surfaces of the SDKs.': /^sdk-symbol-/,
  'It is found with the list of names that were removed.': /^name-reused$/,
}

const { catalogue } = await loadCatalogue()
const wanted = process.env.WITNESS?.split(',')
const witnesses = readWitnesses().filter(({ kind }) => wanted?.includes(kind) ?? true)

describe('what a change does to users', () => {
  const verdicts: Verdicts = new Map()

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'witnesses-'))
    for (const [index, one] of bundle(witnesses).entries()) {
      const played = await play(one, join(folder, String(index)))
      for (const [kind, shown] of played) verdicts.set(kind, shown)
    }
    return () => rmSync(folder, { recursive: true, force: true })
  }, 1_200_000)

  describe.each(witnesses.map(({ kind }) => kind))('%s', (kind) => {
    it.each(LANGUAGES)('%s', (language) => {
      const shown = verdicts.get(kind)?.[language]
      expect(effectsOf(shown), because(shown)).toEqual(catalogue.get(kind)?.effects[language])
    })
  })
})

describe('the report', () => {
  it.each(witnesses.map((witness) => [witness.kind, witness] as const))(
    '%s',
    async (kind, witness) => {
      const reported = await reportOf(witness)
      const file = join(witness.folder, 'expected.json')
      if (process.env.UPDATE === '1') writeFileSync(file, `${JSON.stringify(reported, null, 2)}\n`)
      const expected = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
      expect(reported).toEqual(expected)
      expect(reported.map((change) => change.kind)).toContain(kind)
    },
  )
})

it.skipIf(wanted)('every kind has a witness, or a reason why it cannot have one', () => {
  const witnessed = new Set(witnesses.map(({ kind }) => kind))
  const excused = (kind: string) => Object.values(UNWITNESSED).some((kinds) => kinds.test(kind))
  const kinds = [...catalogue.keys()]
  expect(kinds.filter((kind) => !witnessed.has(kind) && !excused(kind))).toEqual([])
  expect(kinds.filter((kind) => witnessed.has(kind) && excused(kind))).toEqual([])
  expect([...witnessed].filter((kind) => !catalogue.has(kind))).toEqual([])
})

function effectsOf(shown: Shown | undefined): unknown {
  if (!shown || 'invalid' in shown) return shown
  return Object.fromEntries(
    AUDIENCES.map((audience) => [audience, shown[audience]?.effect ?? null]),
  )
}

/** What each audience sees, for the message of a failure. */
function because(shown: Shown | undefined): string {
  if (!shown || 'invalid' in shown) return 'The program is not right before the change.'
  return AUDIENCES.flatMap((audience) => {
    const seen = shown[audience]
    return seen ? [`${audience}: ${seen.effect}. ${seen.because}`] : []
  }).join('\n')
}
