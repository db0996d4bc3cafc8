// The mock server, with its sandbox and without, beside Prism's own CLI on the same contract: how soon it
// answers, how much it answers, what an answer costs it, what it holds in memory. The load comes from a process of its own.

import { median, noise, shuffled } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'
import { type Call, calls, Server, type ServerName } from './servers.ts'

const names: ServerName[] = ['sandbox', 'stateless', 'prism']
const labels: Record<ServerName, string> = {
  sandbox: '**@support-chat/mock-server**',
  stateless: '**the same**, `--stateless`',
  prism: 'Prism CLI `-v error`',
}

/** Figures of one kind, by server; those at one index were taken one after the other. */
type Figures = Record<ServerName, number[]>
const figures = (): Figures => ({ sandbox: [], stateless: [], prism: [] })

/** A server's to Prism's, round by round. */
const ratios = (figures: Figures, name: ServerName) =>
  figures[name].map((figure, round) => figure / (figures.prism[round] ?? Number.NaN))
const ratio = (figures: Figures, name: ServerName) => median(ratios(figures, name))

const startUps = 9
const memoryRounds = 3
const loadRounds = 4
const secondsPerLoad = 2

const firstAnswer = figures()
for (let round = 0; round < startUps; round++) {
  for (const name of shuffled(names)) {
    const server = await Server.start(name)
    firstAnswer[name].push(server.firstAnswer)
    await server.stop()
  }
}

const idle = figures()
const loaded = figures()
for (let round = 0; round < memoryRounds; round++) {
  for (const name of shuffled(names)) {
    const server = await Server.start(name)
    idle[name].push((await server.usage()).rss / 1e6)
    await server.load(calls.list, 50, { requests: 20_000 })
    loaded[name].push((await server.usage()).rss / 1e6)
    await server.stop()
  }
}

interface Cell {
  call: Call
  connections: number
  label: string
  rate: Figures
  cpu: Figures
}
const cells = Object.entries(calls).flatMap(([name, call]) =>
  [10, 50].map((connections): Cell => {
    const label = `${name}, ${connections} connections`
    return { call, connections, label, rate: figures(), cpu: figures() }
  }),
)

const servers = {
  sandbox: await Server.start('sandbox'),
  stateless: await Server.start('stateless'),
  prism: await Server.start('prism'),
}
for (const { call, connections } of cells) {
  for (const name of names) await servers[name].load(call, connections, { requests: 2000 })
}
for (let round = 0; round < loadRounds; round++) {
  for (const { call, connections, rate, cpu } of shuffled(cells)) {
    for (const name of shuffled(names)) {
      const result = await servers[name].load(call, connections, { seconds: secondsPerLoad })
      rate[name].push(result.rate)
      cpu[name].push(result.cpu)
    }
  }
}
for (const name of names) await servers[name].stop()

const ours: ServerName[] = ['sandbox', 'stateless']

const row = (label: string, figures: Figures): string[] => [
  label,
  ...names.map((name) => digits(median(figures[name]))),
  ...ours.map((name) => times(ratio(figures, name))),
  percent(noise(ratios(figures, 'sandbox'))),
]

/** How many times less of the server's processor a call costs than of Prism's. */
const LEAST: Record<string, number> = { list: 3, get: 4.5, POST: 2 }

report(
  ['', ...names.map((name) => labels[name]), 'ratio', '`--stateless`', 'noise'],
  [
    row('first answer, ms', firstAnswer),
    row('memory when idle, MB', idle),
    row('memory after 20,000 requests, MB', loaded),
    ...cells.map(({ label, rate }) => row(`${label}: requests a second`, rate)),
    ...cells.map(({ label, cpu }) => row(`${label}: server CPU µs a request`, cpu)),
  ],
  [
    { what: 'first answer', actual: ratio(firstAnswer, 'sandbox'), limit: 0.5, keep: 'at most' },
    {
      what: 'memory after load',
      actual: ratio(loaded, 'sandbox'),
      limit: 0.67,
      keep: 'at most',
    },
    ...cells.map(
      ({ label, cpu }): Budget => ({
        what: `Prism's CPU to the sandbox's, ${label}`,
        actual: 1 / ratio(cpu, 'sandbox'),
        limit: LEAST[label.split(',', 1)[0] ?? ''] ?? 1,
        keep: 'at least',
      }),
    ),
    {
      what: 'first answer, stateless',
      actual: ratio(firstAnswer, 'stateless'),
      limit: 1,
      keep: 'at most',
    },
    ...cells.map(
      ({ label, rate }): Budget => ({
        what: `requests a second, stateless, ${label}`,
        actual: ratio(rate, 'stateless'),
        limit: 1.5,
        keep: 'at least',
      }),
    ),
  ],
)
