// What a call costs in Python, Ruby and Go beside the HTTP client beneath it, over loopback, and what
// reading a page costs beside the plain JSON decoder. Each language's program takes its own rounds.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programs as go } from '../scripts/toolchain/languages/go.ts'
import { programs as ruby } from '../scripts/toolchain/languages/ruby.ts'
import { environmentOf } from './environments.ts'
import { loopback } from './loopback.ts'
import { median, noise, type Round } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'

const here = import.meta.dirname

const races = {
  get: 'GET a conversation',
  post: 'POST a message',
  decode: 'read a page of 100',
  fields: 'read it and each of its fields',
}

interface Language {
  label: string
  /** What stands beneath our client. */
  beneath: string
  /** Prints the rounds of each race. */
  command: string[]
  /** The most that we may take to what stands beneath. */
  limits: Partial<Record<keyof typeof races, number>>
}

/** By race; a program runs those that mean something in its language. */
type Rounds = Partial<Record<keyof typeof races, Round<'bare' | 'ours'>[]>>

const languages: Language[] = [
  {
    label: 'Python',
    beneath: 'httpx2, json',
    command: [environmentOf('support-chat'), '-E', '-s', join(here, 'python/calls.py')],
    limits: { get: 1.5, post: 1.5, decode: 3 },
  },
  {
    label: 'Ruby',
    beneath: 'net/http, json',
    command: [ruby.ruby, '-I', join(here, '../sdks/ruby/lib'), join(here, 'ruby/calls.rb')],
    limits: { get: 1.25, post: 1.25, decode: 3 },
  },
  {
    label: 'Go',
    beneath: 'net/http, encoding/json',
    command: [go.go, 'run', '-C', join(here, 'go'), './calls'],
    limits: { get: 1.5, post: 1.5, decode: 3 },
  },
]

async function run([program = '', ...args]: string[]): Promise<Rounds> {
  const { stdout } = await promisify(execFile)(program, [...args, baseURL])
  return JSON.parse(stdout) as Rounds
}

const { server, baseURL } = await loopback()
const rows: string[][] = []
const budgets: Budget[] = []
for (const { label, beneath, command, limits } of languages) {
  const taken = await run(command)
  for (const [name, race] of Object.entries(races) as [keyof typeof races, string][]) {
    const rounds = taken[name]
    if (!rounds) continue
    const ratios = rounds.map(({ bare, ours }) => ours / bare)
    const ratio = median(ratios)
    rows.push([
      `${label}: ${race}`,
      beneath,
      digits(median(rounds.map(({ bare }) => bare))),
      digits(median(rounds.map(({ ours }) => ours))),
      times(ratio),
      percent(noise(ratios)),
    ])
    const what = `${label}, ${race}`
    const limit = limits[name]
    if (limit) budgets.push({ what, actual: ratio, limit, keep: 'at most' })
  }
}
server.close()

report(['', 'beneath', 'alone, µs', 'ours, µs', 'ratio', 'noise'], rows, budgets)
