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
  /** The least that our `verify` and our `unwrap` may be to the floor, by size. */
  limits: Record<'verify' | 'unwrap', Limits>
}

type Limits = Partial<Record<Size, number>>

const node: Language = {
  label: 'Node',
  command: [process.execPath, join(here, 'node/webhooks.ts')],
  limits: { verify: {}, unwrap: {} },
}

const always = (limit: number): Limits => Object.fromEntries(everySize.map((size) => [size, limit]))

const raced: Language[] = [
  {
    label: 'Python',
    command: [
      environmentOf('support-chat', 'stripe', 'standardwebhooks'),
      ...['-E', '-s', join(here, 'python/webhooks.py')],
    ],
    limits: {
      verify: { '300 B': 0.65, '64 KB': 0.95, '1 MB': 0.95 },
      unwrap: { ...always(0.9), '300 B': 0.75 },
    },
  },
  {
    label: 'Ruby',
    command: [ruby.ruby, '-I', join(here, '../sdks/ruby/lib'), join(here, 'ruby/webhooks.rb')],
    limits: { verify: always(0.9), unwrap: always(0.8) },
  },
  {
    label: 'Go',
    command: [await built('./webhooks')],
    limits: { verify: always(0.9), unwrap: always(1) },
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

const peers = ['unwrap stripe', 'unwrap standardwebhooks']

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
  for (const [task, limits] of Object.entries(language.limits)) {
    for (const [size, limit] of Object.entries(limits)) {
      const actual = speed(taken[size as Size], `${task} ours`)
      const what = `${language.label}, \`${task}\` at ${size} to the floor`
      budgets.push({ what, actual, limit, keep: 'at least' })
    }
  }
  for (const peer of peers.filter((name) => present.includes(name))) {
    for (const size of everySize) {
      const actual = median(
        taken[size].map((round) => Number(round[peer]) / Number(round['unwrap ours'])),
      )
      const what = `${language.label}, \`unwrap\` at ${size} to ${labels[peer]}`
      budgets.push({ what, actual, limit: 1, keep: 'at least' })
    }
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
