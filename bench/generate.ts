// How long `npm run generate` takes and what it holds, from starting the process to its end: everything in
// this repository, and the packages of synthetic contracts, in which each operation has types of its own.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syntheticDocument } from '../scripts/test/synthetic.ts'
import { median, noise, shuffled } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'

const here = import.meta.dirname
const generator = join(here, '../scripts/generate.ts')
const folder = mkdtempSync(join(tmpdir(), 'bench-generate-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Operations of the synthetic contracts; the one of 288 has the size of a large real one. */
const sizes = [10, 100, 288, 1000] as const

type Name = 'ours' | (typeof sizes)[number]
type Figures = Record<Name, number>
const names: Name[] = ['ours', ...sizes]

const contracts = Object.fromEntries(
  names.map((name) => [name, name === 'ours' ? join(here, '../openapi.yaml') : synthetic(name)]),
) as Record<Name, string>

function synthetic(operations: number): string {
  const file = join(folder, `${operations}.json`)
  writeFileSync(file, JSON.stringify(syntheticDocument(operations)))
  return file
}

/** @returns seconds, and the most MB of memory held */
function run(name: Name): { seconds: number; memory: number } {
  const out = join(folder, 'out')
  const args = name === 'ours' ? ['--check'] : ['--contract', contracts[name], '--out', out]
  const start = performance.now()
  const { status, output, error } = spawnSync(
    process.execPath,
    ['--import', join(here, 'peak.mjs'), generator, ...args],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], encoding: 'utf8' },
  )
  const seconds = (performance.now() - start) / 1000
  if (error || status !== 0) throw error ?? new Error(`generating ${name} failed`)
  rmSync(out, { recursive: true, force: true })
  return { seconds, memory: (Number(output[3]) * 1024) / 1e6 }
}

const count = 5

run('ours') // Node keeps what it has compiled: later runs are warm.
const seconds: Figures[] = []
const memory: Figures[] = []
for (let index = 0; index < count; index++) {
  const taken = {} as Figures
  const held = {} as Figures
  for (const name of shuffled(names)) {
    const figures = run(name)
    taken[name] = figures.seconds
    held[name] = figures.memory
  }
  seconds.push(taken)
  memory.push(held)
}

const middle = (rounds: Figures[], name: Name) => median(rounds.map((round) => round[name]))

/** Seconds that one more operation takes, beyond what a run takes at all. */
const further = (round: Figures, operations: (typeof sizes)[number]) =>
  (round[operations] - round[10]) / (operations - 10)
const growth = (operations: (typeof sizes)[number]) =>
  median(seconds.map((round) => further(round, operations) / further(round, 100)))

const rows = names.map((name) => [
  name === 'ours' ? '**our contract**' : `${digits(name)} operations`,
  digits(statSync(contracts[name]).size / 1000),
  digits(middle(seconds, name)),
  percent(noise(seconds.map((round) => round[name]))),
  name === 'ours' || name === 10
    ? ''
    : digits(median(seconds.map((round) => further(round, name) * 1000))),
  digits(middle(memory, name)),
])

const budgets: Budget[] = [
  { what: 'our contract, seconds', actual: middle(seconds, 'ours'), limit: 1.5, keep: 'at most' },
  { what: '288 operations, seconds', actual: middle(seconds, 288), limit: 8, keep: 'at most' },
  { what: '288 operations, MB', actual: middle(memory, 288), limit: 1000, keep: 'at most' },
  {
    what: 'a further operation, to what it takes among 100: among 288',
    actual: growth(288),
    limit: 1.2,
    keep: 'at most',
  },
  {
    what: 'a further operation, to what it takes among 100: among 1,000',
    actual: growth(1000),
    limit: 1.2,
    keep: 'at most',
  },
]

report(
  ['contract', 'kB', 'seconds', 'noise', 'ms a further operation', 'most memory, MB'],
  rows,
  budgets,
)
