// What a request and a delivery cost the mock server as its sandbox grows: among 100 to 100,000
// conversations, and while as many deliveries wait for another time. Its data is in a file.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedWith } from '../mock-server/src/sandbox/seed.ts'
import { dataFile } from '../mock-server/src/store/data-dir.ts'
import type { Seed } from '../mock-server/src/store/types.ts'
import { median, noise, shuffled } from './measure.ts'
import { digits, percent, report } from './report.ts'
import { OpenSandbox } from './sandbox.ts'
import { type Call, calls, Server, serve } from './servers.ts'

const sizes = [100, 1000, 10_000, 100_000] as const
type Size = (typeof sizes)[number]
/** Microseconds of processor time, by size; those at one index were taken one after the other. */
type Costs = Record<Size, number[]>

const rounds = 11
/** How many rounds come before those, while code is compiled. */
const unsettled = 3
/** How many requests or deliveries make one turn. */
const turn = 1000
const connections = 10

const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'))
const receiver = fork(join(import.meta.dirname, 'receiver.mjs'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const [port] = await once(receiver, 'message')

const data = (name: string, size: Size) => join(folder, `${name}-${size}`)
const idOf = (index: number) => `conv_${String(index).padStart(10, '0')}`

/** Conversations of two messages, from the oldest to the newest. */
function seedOf(count: number): Seed {
  const said = [
    { author: { type: 'visitor', name: 'Zoë' }, text: 'Where is my parcel?' },
    { author: { type: 'bot', name: null }, text: 'It is on its way.' },
  ]
  return seedWith(
    Array.from({ length: count }, (_, index) => {
      const id = idOf(index)
      const at = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString()
      const transcript = said.map((one, place) => ({
        id: `msg_${index}_${place}`,
        conversation_id: id,
        ...one,
        created_at: at,
      }))
      return { id, status: 'open', created_at: at, updated_at: at, transcript, handoff: null }
    }),
  )
}

/** Every size takes a turn in each round. */
async function compare(cost: (size: Size) => Promise<number>): Promise<Costs> {
  const costs: Costs = { 100: [], 1000: [], 10000: [], 100000: [] }
  for (let round = -unsettled; round < rounds; round++) {
    for (const size of shuffled(sizes)) {
      const taken = await cost(size)
      if (round >= 0) costs[size].push(taken)
    }
  }
  return costs
}

/** One of everything, by size. */
async function bySize<Item>(make: (size: Size) => Promise<Item>): Promise<Record<Size, Item>> {
  const made = {} as Record<Size, Item>
  for (const size of sizes) made[size] = await make(size)
  return made
}

/** What a request costs a server, where the calls differ by a number that goes on and on. */
function requests(servers: Record<Size, Server>, callOf: (size: Size, number: number) => Call) {
  let number = 0
  return compare(async (size) => {
    const server = servers[size]
    const before = await server.usage()
    const last = number + turn
    const one = async () => {
      while (number < last) await server.ask(callOf(size, number++))
    }
    await Promise.all(Array.from({ length: connections }, one))
    await server.ask(settle)
    return ((await server.usage()).cpu - before.cpu) / turn
  })
}

/** Returns once everything that is due is delivered. */
const settle: Call = { method: 'POST', path: '/_mock/clock', body: '{"advance":"PT0S"}' }

const page = (cursor: string, limit: number): Call => ({
  method: 'GET',
  path: `${calls.list.path}?limit=${limit}&cursor=${encodeURIComponent(cursor)}`,
})

/** The page that begins at the middle of all conversations. */
async function middle(server: Server, size: Size): Promise<Call> {
  const limit = Math.min(100, size / 2)
  let call: Call = { ...calls.list, path: `${calls.list.path}?limit=${limit}` }
  let cursor = ''
  for (let seen = 0; seen < size / 2; seen += limit) {
    cursor = JSON.parse(await server.ask(call)).next_cursor
    call = page(cursor, limit)
  }
  return page(cursor, 20)
}

/** Far apart from one call to the next, and all of them in time. */
const scattered = (number: number, count: number) => (number * 7919) % count
/** One of the older half; what is posted goes to the newer, and the page in the middle stays. */
const older = (size: Size, number: number) => idOf(scattered(number, size / 2))
const newer = (size: Size, number: number) => idOf(size / 2 + scattered(number, size / 2))
const post = (id: string): Call => ({ ...calls.POST, path: `${calls.list.path}/${id}/messages` })

async function amongConversations(): Promise<Record<string, Costs>> {
  const servers = await bySize(async (size) => {
    const sandbox = await OpenSandbox.open(dataFile(data('conversations', size)), {
      seed: seedOf(size),
    })
    await sandbox.close()
    return Server.start(serve('--data-dir', data('conversations', size)))
  })
  const middles = await bySize((size) => middle(servers[size], size))
  const costs = {
    'list, the first page': await requests(servers, () => calls.list),
    'list, a page in the middle': await requests(servers, (size) => middles[size]),
    get: await requests(servers, (size, number) => ({
      ...calls.get,
      path: `${calls.list.path}/${older(size, number)}`,
    })),
    POST: await requests(servers, (size, number) => post(newer(size, number))),
  }
  for (const size of sizes) await servers[size].stop()
  return costs
}

async function besideWaiting(): Promise<Record<string, Costs>> {
  const kind = 'conversation.message'
  const sandboxes = await bySize(async (size) => {
    const file = dataFile(data('deliveries', size))
    const sandbox = await OpenSandbox.open(file, { seed: seedOf(100), connections })
    await sandbox.addEndpoint('ep_bench', `http://127.0.0.1:${port}/`, kind)
    await sandbox.emit(kind, size)
    await sandbox.postpone()
    return sandbox
  })
  const delivering = await compare(async (size) => {
    await sandboxes[size].emit(kind, turn)
    const before = process.cpuUsage()
    await sandboxes[size].deliver()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / turn
  })
  for (const size of sizes) await sandboxes[size].close()

  const servers = await bySize((size) =>
    Server.start(serve('--data-dir', data('deliveries', size))),
  )
  const posting = await requests(servers, (_, number) => post(newer(100, number)))
  for (const size of sizes) await servers[size].stop()
  return {
    'take and deliver': delivering,
    'POST, its event delivered': posting,
  }
}

const ratios = (costs: Costs, size: Size) =>
  costs[size].map((cost, round) => cost / (costs[100][round] ?? Number.NaN))

/** How much the logarithm of the sizes grows. */
const logarithm = Math.log(sizes[3]) / Math.log(sizes[0])

/** How a cost grows from the smallest size to the largest. */
function growth(ratio: number): string {
  if (ratio <= 1.25) return 'flat'
  return ratio <= logarithm ? 'logarithmic' : 'faster'
}

function table(title: string, rows: Record<string, Costs>): void {
  report(
    [`${title}: CPU µs (to 100)`, ...sizes.map(digits), 'noise', 'grows'],
    Object.entries(rows).map(([label, costs]) => [
      label,
      ...sizes.map((size) => {
        const ratio = median(ratios(costs, size)).toFixed(2)
        return `${digits(median(costs[size]))} (${ratio})`
      }),
      percent(noise(ratios(costs, 100_000))),
      growth(median(ratios(costs, 100_000))),
    ]),
    Object.entries(rows).map(([label, costs]) => ({
      what: `${label}, among 100,000 to among 100`,
      actual: median(ratios(costs, 100_000)),
      limit: logarithm,
      keep: 'at most',
    })),
  )
}

table('conversations', await amongConversations())
process.stdout.write('\n')
table('deliveries that wait', await besideWaiting())
receiver.kill()
