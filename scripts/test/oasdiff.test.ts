// A second opinion: oasdiff judges the same documents by what is on the wire. Each disagreement stands
// in oasdiff/disagreements.yaml with its reason.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compare } from '../changes/compare/index.ts'
import type { Change } from '../changes/types.ts'
import { programs } from '../toolchain/languages/go.ts'
import { formatProblem, readYaml } from '../yaml/index.ts'
import { catalogue, merge, revisionOf } from './changes/skeleton.ts'

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.30.0'

/** A change as oasdiff has it. */
interface Theirs {
  id: string
  /** 3 error, 2 warning, 1 information. */
  level: number
  operation?: string
  path?: string
  text: string
}

interface Disagreement {
  pair: string
  /** The change as one of the two has it, and what each says of it. */
  about: string
  oasdiff: string
  ours: string
  reason: string
}

async function read<T>(name: string, type: 'object' | 'array' = 'object'): Promise<T> {
  const file = fileURLToPath(new URL(`oasdiff/${name}.yaml`, import.meta.url))
  const { value, problems } = await readYaml<T>(file, { type })
  if (value === null) throw new Error(problems.map(formatProblem).join('\n'))
  return value
}

const before = await read<object>('before')
const pairs = await read<Record<string, object>>('pairs')
const ids = await read<Record<string, string[]>>('ids')
const listed = await read<Disagreement[]>('disagreements', 'array')

describe('oasdiff says the same', () => {
  it.each(Object.entries(pairs))('of %s, where no reason is listed', async (pair, patch) => {
    const after = merge(before, patch)
    const ours = compare(await revisionOf(before), await revisionOf(after), catalogue)
    const found = disagreements(await judge(after), ours)
    const known = listed.filter((one) => one.pair === pair)
    const plain = known.map(({ about, oasdiff, ours }) => ({ about, oasdiff, ours }))
    expect(found).toEqual(plain)
    for (const { reason } of known) expect(reason).toMatch(/^[A-Z].{20,}\.$/)
  })
})

/** What oasdiff says of a document that takes the place of the first. */
async function judge(after: unknown): Promise<Theirs[]> {
  const folder = mkdtempSync(join(tmpdir(), 'oasdiff-'))
  try {
    const files = [before, after].map((document, index) => {
      const file = join(folder, `${index}.json`)
      writeFileSync(file, JSON.stringify(document))
      return file
    })
    const args = ['run', OASDIFF, 'changelog', ...files, '--format', 'json']
    const env = { ...process.env, GOFLAGS: '-mod=mod' }
    return JSON.parse(execFileSync(programs.go, args, { cwd: folder, env, encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const LEVELS = ['', 'information', 'warning', 'error']

/** Verdicts that differ, and changes that only one of the two finds. */
function disagreements(theirs: readonly Theirs[], ours: readonly Change[]) {
  const rows = new Map<string, Pick<Disagreement, 'about' | 'oasdiff' | 'ours'>>()
  const add = (about: string, oasdiff: string, ours: string) =>
    rows.set(`${about} ${oasdiff} ${ours}`, { about, oasdiff, ours })
  const seen = new Set<Change>()
  for (const { id, level, operation, path = '' } of theirs) {
    const at = path.startsWith('webhook:') ? path.replace(':', ' ') : `${operation} ${path}`
    const kinds = ids[id]
    if (!kinds) throw new Error(`oasdiff/ids.yaml lacks ${id}`)
    const partners = ours.filter(({ kind, users }) => {
      return kinds.includes(kind) && (operation === undefined || users.includes(at))
    })
    for (const partner of partners) seen.add(partner)
    const verdicts = [...new Set(partners.map((one) => one.class))].sort().join(', ') || 'nothing'
    const isAgreed = partners.some((one) => (one.class === 'breaking') === level >= 2)
    if (!isAgreed) add(id, LEVELS[level] ?? '', verdicts)
  }
  for (const change of ours) {
    if (!seen.has(change)) add(change.kind, 'nothing', change.class)
  }
  return [...rows.values()].sort((a, b) => (a.about < b.about ? -1 : 1))
}
