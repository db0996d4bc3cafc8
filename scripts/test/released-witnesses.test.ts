// The programs that the last release kept: each still compiles and runs with today's packages, or the report
// names what stops it. Those that are today's witnesses too are played by witnesses.test.ts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { breaksOf } from '../changes/breaks.ts'
import { comparison } from '../changes/diff.ts'
import { defaultBase } from '../changes/revision.ts'
import { type ByLanguage, type Change, LANGUAGES, type Language } from '../changes/types.ts'
import { type KeptWitness, keptWitnesses, witnessesIn } from '../release/witnesses.ts'
import { ROOT } from '../repository.ts'
import { surroundingsOf } from '../surroundings.ts'
import { bundle } from './witnesses/bundle.ts'
import { harnesses, perform } from './witnesses/stage.ts'
import { callerOf, readWitnesses } from './witnesses/witness.ts'

type Witnesses = Readonly<Record<string, KeptWitness>>

/** A program that no longer does what it did. */
interface Fault {
  kind: string
  language: string
  program: string
  because: string
}

const version = defaultBase(ROOT)
const kept = parseYaml(
  readFileSync(join(ROOT, `contracts/${version}/witnesses.yaml`), 'utf8'),
) as Witnesses
const today = witnessesIn(ROOT)

describe('the witnesses of the last release', () => {
  it('still run, or the report says what stops them', { timeout: 600_000 }, async () => {
    expect(Object.keys(kept).length).toBeGreaterThan(100)
    const faults = await faultsOf(changed(kept, today))
    const settings = {
      ...(await surroundingsOf(ROOT)),
      today: new Date().toISOString().slice(0, 10),
    }
    const { changes } = await comparison({ base: version, target: null }, settings)
    const unreported = faults.filter((fault) => !isReported(fault, changes))
    expect(unreported).toEqual([])
  })

  it('are kept as they are', () => {
    expect(parseYaml(keptWitnesses(ROOT))).toEqual(today)
  })
})

it('a program that needs what today’s packages lack is found', { timeout: 600_000 }, async () => {
  const [kind = ''] = Object.keys(today)
  const old = today[kind] ?? {}
  const spoilt = Object.fromEntries(
    Object.entries(old).map(([file, text]) => [file, text.replace(/\b(get)\(/i, '$1Formerly(')]),
  )
  expect(changed({ [kind]: old }, today)).toEqual({})
  const faults = await faultsOf(changed({ [kind]: spoilt }, today))
  expect(faults.map(({ language }) => language).sort()).toEqual([...harnesses.keys()].sort())
  for (const fault of faults) {
    expect(fault.because).toMatch(/get_?formerly/i)
    const [, method = ''] = /\b(get_?formerly)\b/i.exec(fault.program) ?? []
    expect(isReported(fault, [changeOf('generator', `Client.${method}`)])).toBe(true)
    expect(isReported(fault, [changeOf('generator', 'Client.other')])).toBe(false)
    // The programs have a contract of their own, so that changes of ours explain nothing.
    expect(isReported(fault, [changeOf('contract', `Client.${method}`)])).toBe(false)
  }
})

/** Whether the report says that what a program names is gone or different in today's SDKs. */
function isReported({ language, program }: Fault, changes: readonly Change[]): boolean {
  const ofSdks = changes.filter(({ provenance }) => provenance === 'generator')
  return breaksOf(ofSdks, language as Language, program).length > 0
}

/** A change that breaks programs of all languages. */
function changeOf(provenance: Change['provenance'], name: string): Change {
  const all = <T>(value: T) =>
    Object.fromEntries(LANGUAGES.map((language) => [language, value])) as ByLanguage<T>
  const breaks = { upgrade: 'compile', stay: null, receive: null } as const
  return {
    fingerprint: '',
    kind: '',
    pointer: '',
    before: null,
    after: null,
    class: 'breaking',
    preview: false,
    provenance,
    subject: all(name),
    effects: all(breaks),
    text: '',
    texts: all(''),
    users: [],
    renamed: null,
    assumed: { before: false, after: false },
    approved: null,
  }
}

/** What is not among today's witnesses. */
function changed(old: Witnesses, now: Witnesses): Witnesses {
  const isSame = ([kind, files]: [string, KeptWitness]) =>
    Object.entries(files).every(([file, text]) => now[kind]?.[file] === text)
  return Object.fromEntries(Object.entries(old).filter((one) => !isSame(one)))
}

/** Compiles and runs programs with packages that are generated today. */
async function faultsOf(witnesses: Witnesses): Promise<Fault[]> {
  const folder = mkdtempSync(join(tmpdir(), 'released-'))
  const faults: Fault[] = []
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    for (const [kind, files] of Object.entries(witnesses)) {
      mkdirSync(join(folder, 'witnesses', kind), { recursive: true })
      const { 'before.yaml': contract = '' } = files
      for (const [file, text] of Object.entries({ ...files, 'after.yaml': contract })) {
        writeFileSync(join(folder, 'witnesses', kind, file), text)
      }
    }
    const all = Object.keys(witnesses).length > 0 ? readWitnesses(join(folder, 'witnesses')) : []
    for (const [index, one] of bundle(all).entries()) {
      const programs = [...harnesses].map(([language, { extension }]) => {
        const files = one.witnesses.flatMap((witness): Array<[string, string]> => {
          const file = callerOf(witness, extension)
          return file ? [[witness.kind, file]] : []
        })
        return [language, new Map(files)] as const
      })
      const performed = await perform(one, 'before', new Map(programs), join(folder, String(index)))
      for (const [language, files] of programs) {
        const { complaints, runs } = performed.get(language) ?? {
          complaints: null,
          runs: new Map(),
        }
        for (const [kind, file] of files) {
          const because = complaints?.get(kind)?.errors[0] ?? runs.get(kind)?.error?.message
          if (because === undefined) continue
          faults.push({ kind, language, program: readFileSync(file, 'utf8'), because })
        }
      }
    }
    return faults
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
