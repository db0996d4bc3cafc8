// How long Python takes to import a client, in an interpreter that has just started. Each contender has
// an environment of its own, its bytecode compiled beforehand.

import { execFileSync } from 'node:child_process'
import { environmentOf } from './environments.ts'
import { median, noise, type Round, shuffled } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'

const contenders = {
  ours: {
    label: '**support-chat**',
    name: 'support-chat',
    statement: 'from support_chat import SupportChat',
  },
  httpx2: { label: 'httpx2 alone', name: 'httpx2', statement: 'from httpx2 import Client' },
  stripe: { label: 'stripe', name: 'stripe', statement: 'from stripe import StripeClient' },
  intercom: {
    label: 'python-intercom',
    name: 'python-intercom',
    statement: 'from intercom import Intercom',
  },
  openai: { label: 'openai', name: 'openai', statement: 'from openai import OpenAI' },
}

type Name = keyof typeof contenders
const names = Object.keys(contenders) as Name[]

const unsettled = 3
const count = 41

const pythons = Object.fromEntries(
  names.map((name) => [name, environmentOf(contenders[name].name)]),
) as Record<Name, string>

/** Milliseconds that an import takes, without the start of its interpreter. */
function timed(name: Name): number {
  const { statement } = contenders[name]
  const program = `import time
start = time.perf_counter()
${statement}
print((time.perf_counter() - start) * 1000)`
  return Number(execFileSync(pythons[name], ['-I', '-c', program], { encoding: 'utf8' }))
}

const rounds: Round<Name>[] = []
for (let index = -unsettled; index < count; index++) {
  const round = {} as Round<Name>
  for (const name of shuffled(names)) round[name] = timed(name)
  if (index >= 0) rounds.push(round)
}

const ratio = (name: Name, to: Name) => median(rounds.map((round) => round[name] / round[to]))
const rows = names.map((name) => {
  const taken = rounds.map((round) => round[name])
  return [
    contenders[name].label,
    `\`${contenders[name].statement}\``,
    digits(median(taken)),
    percent(noise(taken)),
    times(ratio(name, 'httpx2')),
  ]
})

const budgets: Budget[] = [
  {
    what: 'ours beyond httpx2, ms',
    actual: median(rounds.map((round) => round.ours - round.httpx2)),
    limit: 40,
    keep: 'at most',
  },
  { what: 'ours to openai', actual: ratio('ours', 'openai'), limit: 0.25, keep: 'at most' },
]

report(['package', 'import', 'ms', 'noise', 'to httpx2'], rows, budgets)
