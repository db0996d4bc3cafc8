// The mock server beside Prism's own CLI on the same contract: how soon it answers, how much it
// answers, what an answer costs it, what it holds in memory. The load comes from a process of its own.

import { median, noise, shuffled } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'
import { type Call, calls, Server, type ServerName } from './servers.ts'

const names: ServerName[] = ['ours', 'prism']
const labels: Record<ServerName, string> = {
  ours: '**@support-chat/mock-server**',
  prism: 'Prism CLI `-v error`',
}

/** Figures of one kind, by server; those at one index were taken one after the other. */
type Figures = Record<ServerName, number[]>
const figures = (): Figures => ({ ours: [], prism: [] })

/** Ours to Prism's, round by round. */
const ratios = ({ ours, prism }: Figures) =>
  ours.map((figure, round) => figure / (prism[round] ?? Number.NaN))
const ratio = (figures: Figures) => median(ratios(figures))

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

const servers = { ours: await Server.start('ours'), prism: await Server.start('prism') }
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

const row = (label: string, figures: Figures): string[] => [
  label,
  ...names.map((name) => digits(median(figures[name]))),
  times(ratio(figures)),
  percent(noise(ratios(figures))),
]

report(
  ['', ...names.map((name) => labels[name]), 'ratio', 'noise'],
  [
    row('first answer, ms', firstAnswer),
    row('memory when idle, MB', idle),
    row('memory after 20,000 requests, MB', loaded),
    ...cells.map(({ label, rate }) => row(`${label}: requests a second`, rate)),
    ...cells.map(({ label, cpu }) => row(`${label}: server CPU µs a request`, cpu)),
  ],
  [
    { what: 'first answer', actual: ratio(firstAnswer), limit: 1, keep: 'at most' },
    { what: 'memory when idle', actual: ratio(idle), limit: 1, keep: 'at most' },
    { what: 'memory after load', actual: ratio(loaded), limit: 1, keep: 'at most' },
    ...cells.map(
      ({ label, rate }): Budget => ({
        what: `requests a second, ${label}`,
        actual: ratio(rate),
        limit: 1.5,
        keep: 'at least',
      }),
    ),
  ],
)
