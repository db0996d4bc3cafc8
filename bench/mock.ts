// The mock server, with its sandbox and without, beside Prism's own CLI on the same contract, Mockoon's CLI
// with the same responses, and Hono alone: time to the first response, throughput, latency, what
// it costs, what is held in memory. The load comes from a process of its own.

import { contenders, type Name, names } from './contenders.ts'
import { median, noise, shuffled } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'
import { type Call, calls, type Load, Server } from './servers.ts'

const labels: Record<Name, string> = {
  sandbox: '**@support-chat/mock-server**',
  stateless: '**the same**, `--stateless`',
  prism: 'Prism CLI `-v error`',
  mockoon: 'Mockoon CLI',
  bare: 'Hono alone',
}

/** Figures of one kind, by server; those at one index were taken one after the other. */
type Figures = Record<Name, number[]>
const figures = (): Figures => ({ sandbox: [], stateless: [], prism: [], mockoon: [], bare: [] })

/** A server's to Prism's, round by round. */
const ratios = (figures: Figures, name: Name) =>
  figures[name].map((figure, round) => figure / (figures.prism[round] ?? Number.NaN))
const ratio = (figures: Figures, name: Name) => median(ratios(figures, name))

const startUps = 9
const memoryRounds = 3
const loadRounds = 4
const secondsPerLoad = 2

const commands = await contenders()

const firstResponse = figures()
for (let round = 0; round < startUps; round++) {
  for (const name of shuffled(names)) {
    const server = await Server.start(commands[name])
    firstResponse[name].push(server.firstResponse)
    await server.stop()
  }
}

const idle = figures()
const loaded = figures()
for (let round = 0; round < memoryRounds; round++) {
  for (const name of shuffled(names)) {
    const server = await Server.start(commands[name])
    idle[name].push((await server.usage()).rss / 1e6)
    await server.load(calls.list, 50, { requests: 20_000 })
    loaded[name].push((await server.usage()).rss / 1e6)
    await server.stop()
  }
}

interface Cell {
  name: keyof typeof calls
  call: Call
  connections: number
  label: string
  taken: Record<keyof Load, Figures>
}
const cells = (Object.keys(calls) as Array<keyof typeof calls>).flatMap((name) =>
  [10, 50].map((connections): Cell => {
    const taken = { rate: figures(), p99: figures(), cpu: figures() }
    return { name, call: calls[name], connections, label: `${name}, ${connections}`, taken }
  }),
)

const servers = {} as Record<Name, Server>
for (const name of names) servers[name] = await Server.start(commands[name])
for (const { call, connections } of cells) {
  for (const name of names) await servers[name].load(call, connections, { requests: 2000 })
}
for (let round = 0; round < loadRounds; round++) {
  for (const { call, connections, taken } of shuffled(cells)) {
    for (const name of shuffled(names)) {
      const load = await servers[name].load(call, connections, { seconds: secondsPerLoad })
      for (const kind of ['rate', 'p99', 'cpu'] as const) taken[kind][name].push(load[kind])
    }
  }
}
for (const name of names) await servers[name].stop()

/** A table with a column for each of the figures, and beneath it how far our ratio scatters. */
function table(title: string, columns: Record<string, Figures>, budgets: Budget[]): void {
  const taken = Object.values(columns)
  const cell = (figures: Figures, name: Name) =>
    `${digits(median(figures[name]))} (${ratio(figures, name).toFixed(2)})`
  report(
    [`${title} (to Prism CLI)`, ...Object.keys(columns)],
    [
      ...names.map((name) => [labels[name], ...taken.map((figures) => cell(figures, name))]),
      ['noise of the first ratio', ...taken.map((one) => percent(noise(ratios(one, 'sandbox'))))],
    ],
    budgets,
  )
}

const ofLoads = (kind: keyof Load) =>
  Object.fromEntries(cells.map(({ label, taken }) => [label, taken[kind]]))

/** How many times less of the server's processor a call costs than of Prism's. */
const LEAST: Record<keyof typeof calls, number> = { list: 3.5, get: 5, POST: 2.5 }

table(
  'start and memory',
  {
    'first response, ms': firstResponse,
    'idle, MB': idle,
    'after 20,000 requests, MB': loaded,
  },
  [
    {
      what: 'first response',
      actual: ratio(firstResponse, 'sandbox'),
      limit: 0.25,
      keep: 'at most',
    },
    {
      what: 'first response, stateless',
      actual: ratio(firstResponse, 'stateless'),
      limit: 1,
      keep: 'at most',
    },
    { what: 'memory after load', actual: ratio(loaded, 'sandbox'), limit: 0.67, keep: 'at most' },
  ],
)
process.stdout.write('\n')
table(
  'requests a second',
  ofLoads('rate'),
  cells.map(({ label, taken }) => ({
    what: `requests a second, stateless, ${label} connections`,
    actual: ratio(taken.rate, 'stateless'),
    limit: 1.5,
    keep: 'at least',
  })),
)
process.stdout.write('\n')
table('p99, ms', ofLoads('p99'), [])
table(
  'server CPU µs a request',
  ofLoads('cpu'),
  cells.flatMap(({ name, label, taken }): Budget[] => [
    {
      what: `Prism's CPU to the sandbox's, ${label} connections`,
      actual: 1 / ratio(taken.cpu, 'sandbox'),
      limit: LEAST[name],
      keep: 'at least',
    },
    {
      what: `Prism's CPU to that without the sandbox, ${label} connections`,
      actual: 1 / ratio(taken.cpu, 'stateless'),
      limit: 2,
      keep: 'at least',
    },
    {
      what: `the sandbox's CPU to Hono's alone, ${label} connections`,
      actual: ratio(taken.cpu, 'sandbox') / ratio(taken.cpu, 'bare'),
      limit: 2.5,
      keep: 'at most',
    },
  ]),
)
