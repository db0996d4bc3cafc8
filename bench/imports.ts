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

type Client = keyof typeof contenders
type Name = Client | 'webhooks' | 'standardLibrary'
const clients = Object.keys(contenders) as Client[]
const names: Name[] = [...clients, 'webhooks', 'standardLibrary']

const unsettled = 3
const count = 41

const pythons = Object.fromEntries(
  clients.map((name) => [name, environmentOf(contenders[name].name)]),
) as Record<Client, string>

const WEBHOOKS = 'from support_chat.webhooks import Webhooks'

/** What the verifier imports of the standard library, and nothing else. */
const standardLibrary = execFileSync(
  pythons.ours,
  [
    ...['-I', '-c'],
    `import sys
before = set(sys.modules)
${WEBHOOKS}
new = [name for name in sys.modules if name not in before and not name.startswith('support_chat')]
print('import ' + ', '.join(new))`,
  ],
  { encoding: 'utf8' },
).trim()

const statements = { webhooks: WEBHOOKS, standardLibrary }

function isClient(name: Name): name is Client {
  return name in contenders
}

/** Milliseconds that an import takes, without the start of its interpreter. */
function timed(name: Name): number {
  const statement = isClient(name) ? contenders[name].statement : statements[name]
  const program = `import time
start = time.perf_counter()
${statement}
print((time.perf_counter() - start) * 1000)`
  const python = isClient(name) ? pythons[name] : pythons.ours
  return Number(execFileSync(python, ['-I', '-c', program], { encoding: 'utf8' }))
}

const rounds: Round<Name>[] = []
for (let index = -unsettled; index < count; index++) {
  const round = {} as Round<Name>
  for (const name of shuffled(names)) round[name] = timed(name)
  if (index >= 0) rounds.push(round)
}

const ratio = (name: Name, to: Name) => median(rounds.map((round) => round[name] / round[to]))
const labels: Record<Exclude<Name, Client>, [label: string, statement: string]> = {
  webhooks: ['**support-chat**, its verifier', WEBHOOKS],
  standardLibrary: ['the standard library, as far as that needs it', 'import …'],
}

const rows = names.map((name) => {
  const taken = rounds.map((round) => round[name])
  const [label, statement] = isClient(name)
    ? [contenders[name].label, contenders[name].statement]
    : labels[name]
  return [
    label,
    `\`${statement}\``,
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
  {
    what: 'the verifier beyond the standard library, ms',
    actual: median(rounds.map((round) => round.webhooks - round.standardLibrary)),
    limit: 15,
    keep: 'at most',
  },
  { what: 'ours to openai', actual: ratio('ours', 'openai'), limit: 0.22, keep: 'at most' },
]

report(['package', 'import', 'ms', 'noise', 'to httpx2'], rows, budgets)
