// Calls servers in turn, as a balancer would spread it, from many keys: forked with what to do as JSON. Prints what came.

import { Agent, request } from 'node:http'

export interface Plan {
  /** The origins of the servers. */
  origins: string[]
  keys: string[]
  calls: Array<{ method: string; path: string; body?: string }>
  connections: number
  seconds: number
}

export interface Result {
  /** Requests a second. */
  rate: number
  /** How long they took, in milliseconds. */
  times: number[]
  /** What was not a 2xx: a status or an error, with how often it came. */
  failures: Record<string, number>
}

const plan: Plan = JSON.parse(process.argv[2] ?? '')
const { origins, keys, calls, connections, seconds } = plan
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const times: number[] = []
const failures: Record<string, number> = {}
let turn = 0

function call(): Promise<string | null> {
  const at = turn++
  const origin = origins[at % origins.length] ?? ''
  const { method = '', path = '', body } = calls[at % calls.length] ?? {}
  const headers = {
    authorization: `Bearer ${keys[at % keys.length]}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve) => {
    const sent = request(origin + path, { method, headers, agent }, (response) => {
      response.resume()
      const { statusCode = 0 } = response
      response.on('end', () => resolve(statusCode < 300 ? null : `${statusCode}`))
      response.on('error', (error) => resolve(error.message))
    })
    sent.on('error', (error) => resolve(error.message))
    sent.end(body)
  })
}

async function connection(end: number): Promise<void> {
  while (performance.now() < end) {
    const start = performance.now()
    const failure = await call()
    if (failure === null) times.push(performance.now() - start)
    else failures[failure] = (failures[failure] ?? 0) + 1
  }
}

const start = performance.now()
await Promise.all(Array.from({ length: connections }, () => connection(start + seconds * 1000)))
const rate = (times.length * 1000) / (performance.now() - start)
agent.destroy()
process.send?.({ rate, times, failures } satisfies Result, () => process.disconnect?.())
