// What it costs to accept a genuine delivery in each language, beside its own HMAC and JSON and beside
// others' verifiers, and how much memory a large one takes.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programs as go } from '../scripts/toolchain/languages/go.ts'
import { programs as ruby } from '../scripts/toolchain/languages/ruby.ts'
import { makeBody, type Size, sizes } from './deliveries.ts'
import { environmentOf } from './environments.ts'
import { median, noise, type Round } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'bench-deliveries-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const everySize = Object.keys(sizes) as Size[]
for (const size of everySize) writeFileSync(join(folder, size), makeBody(sizes[size]))

interface Language {
  label: string
  command: string[]
  /** The least that our `verify` may be to the floor, by size. */
  limits: Partial<Record<Size, number>>
}

const node: Language = {
  label: 'Node',
  command: [process.execPath, join(here, 'node/webhooks.ts')],
  limits: {},
}

const raced: Language[] = [
  {
    label: 'Python',
    command: [
      environmentOf('support-chat', 'stripe', 'standardwebhooks'),
      ...['-E', '-s', join(here, 'python/webhooks.py')],
    ],
    limits: { '300 B': 0.65, '64 KB': 0.95, '1 MB': 0.95 },
  },
  {
    label: 'Ruby',
    command: [ruby.ruby, '-I', join(here, '../sdks/ruby/lib'), join(here, 'ruby/webhooks.rb')],
    limits: { '300 B': 0.9, '2 KB': 0.9, '64 KB': 0.9, '1 MB': 0.9 },
  },
  {
    label: 'Go',
    command: [await built('./webhooks')],
    limits: { '300 B': 0.9, '2 KB': 0.9, '64 KB': 0.9, '1 MB': 0.9 },
  },
]

const labels: Record<string, string> = {
  'verify floor': '`verify`: floor',
  'verify ours': '**ours**',
  'unwrap floor': '`unwrap`: floor and JSON',
  'unwrap ours': '**ours**',
  'unwrap stripe': 'stripe',
  'unwrap standardwebhooks': 'standardwebhooks',
}

async function built(program: string): Promise<string> {
  const file = `${folder}-${program.slice(2)}`
  process.on('exit', () => rmSync(file, { force: true }))
  await promisify(execFile)(go.go, ['build', '-C', join(here, 'go'), '-o', file, program])
  return file
}

async function run({ command: [program = '', ...before] }: Language, ...args: string[]) {
  const { stdout } = await promisify(execFile)(program, [...before, ...args], {
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout)
}

/** How many times as fast as its floor a contender is. */
function speed(rounds: Round<string>[], name: string): number {
  const floor = `${name.split(' ', 1)[0]} floor`
  return median(rounds.map((round) => Number(round[floor]) / Number(round[name])))
}

const rows: string[][] = []
const budgets: Budget[] = []
for (const language of raced) {
  const taken: Record<Size, Round<string>[]> = await run(language, 'race', folder)
  const present = Object.keys(labels).filter((name) => name in (taken['300 B'][0] ?? {}))
  for (const name of present) {
    const cells = everySize.map((size) => {
      const perSecond = 1e6 / median(taken[size].map((round) => Number(round[name])))
      return `${digits(perSecond)} (${speed(taken[size], name).toFixed(2)})`
    })
    rows.push([`${language.label}, ${labels[name]}`, ...cells])
  }
  const noises = everySize.map((size) =>
    percent(noise(taken[size].map((round) => Number(round['verify floor'])))),
  )
  rows.push([`${language.label}, noise of the floor`, ...noises])
  for (const [size, limit] of Object.entries(language.limits)) {
    const actual = speed(taken[size as Size], 'verify ours')
    budgets.push({
      what: `${language.label}, \`verify\` at ${size} to the floor`,
      actual,
      limit,
      keep: 'at least',
    })
  }
}
report(['a second (to the floor)', ...everySize], rows, budgets)

/** The median of a few processes, each of which accepts the large delivery some times. */
async function growth(language: Language, name: string): Promise<number> {
  const grown: number[] = []
  for (let i = 0; i < 5; i++) grown.push(await run(language, 'memory', name, join(folder, '1 MB')))
  return median(grown) / sizes['1 MB']
}

const memory: string[][] = []
for (const language of [node, ...raced]) {
  const floor = await growth(language, 'unwrap floor')
  const ours = await growth(language, 'unwrap ours')
  memory.push([language.label, floor.toFixed(1), ours.toFixed(1)])
}
process.stdout.write('\n')
report(['growth at the peak, in bodies of 1 MB', 'floor and JSON', '**ours**'], memory, [])
