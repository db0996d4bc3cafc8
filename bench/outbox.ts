// How many deliveries a second the sandbox makes and records, beside undici alone that records nothing, on
// as many connections to one receiver.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, noise, type Round, shuffled } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'
import { body, OpenSandbox } from './sandbox.ts'

// The one that the mock server sends with.
const require = createRequire(join(import.meta.dirname, '../mock-server/package.json'))
const { Agent, request } = require('undici') as typeof import('undici')

const count = 20_000
const connections = 50
const rounds = 5
const waiting = 100_000

const receiver = fork(join(import.meta.dirname, 'receiver.mjs'))
const [port] = await once(receiver, 'message')
const url = `http://127.0.0.1:${port}/`
const folder = mkdtempSync(join(tmpdir(), 'bench-outbox-'))
const agent = new Agent({ connections })

/** Milliseconds for all deliveries. */
async function bare(): Promise<number> {
  const start = performance.now()
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const response = await request(url, { method: 'POST', dispatcher: agent, headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return performance.now() - start
}

/** The same, recorded; beside so many that wait for another time. */
async function recorded(isDurable: boolean, others = 0): Promise<number> {
  const file = join(folder, `${Math.random()}.db`)
  const sandbox = await OpenSandbox.open(file, { isDurable, connections })
  await sandbox.addEndpoint('ep_waiting', url, 'knowledge.indexed')
  await sandbox.emit('knowledge.indexed', others)
  await sandbox.postpone()
  await sandbox.addEndpoint('ep_now', url, 'conversation.message')
  await sandbox.emit('conversation.message', count)

  const start = performance.now()
  await sandbox.deliver()
  const took = performance.now() - start
  await sandbox.close()
  return took
}

const contenders = {
  bare,
  normal: () => recorded(false),
  full: () => recorded(true),
  waiting: () => recorded(false, waiting),
}
type Name = keyof typeof contenders
const names = Object.keys(contenders) as Name[]
const labels: Record<Name, string> = {
  bare: 'undici alone, nothing recorded',
  normal: '**sandbox**, survives SIGKILL',
  full: '**sandbox**, survives the loss of power',
  waiting: '**sandbox**, beside 100,000 that wait',
}

await bare()
const results: Round<Name>[] = []
for (let round = 0; round < rounds; round++) {
  const result = {} as Round<Name>
  for (const name of shuffled(names)) result[name] = await contenders[name]()
  results.push(result)
}
await agent.close()
receiver.kill()
rmSync(folder, { recursive: true })

const share = (name: Name) => median(results.map((round) => round.bare / round[name]))
const budget = (name: Name, limit: number): Budget => ({
  what: `deliveries a second, ${labels[name].replaceAll('*', '')}, to undici alone`,
  actual: share(name),
  limit,
  keep: 'at least',
})
report(
  ['', 'a second', 'to undici alone', 'noise'],
  names.map((name) => {
    const taken = results.map((round) => round[name])
    return [
      labels[name],
      digits((count * 1000) / median(taken)),
      share(name).toFixed(2),
      percent(noise(taken)),
    ]
  }),
  [budget('normal', 0.6), budget('full', 0.45)],
)
