// Every claim of the catalogue of changes has a witness: a program that is right before the change. It is
// compiled and run with both versions, and what happens to it must be what the catalogue says.
// WITNESS=<kind>,<kind> plays these alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadCatalogue } from '../changes/catalogue.ts'
import { AUDIENCES, LANGUAGES } from '../changes/types.ts'
import { bundle } from './witnesses/bundle.ts'
import { play, type Shown, type Verdicts } from './witnesses/stage.ts'
import { readWitnesses } from './witnesses/witness.ts'

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
