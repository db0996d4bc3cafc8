// Runs programs in one process, one after another, and prints how each ended.
import { text } from 'node:stream/consumers'
import { APIError, Shop } from '@shop/sdk'
import { Webhooks } from '@shop/sdk/webhooks'

export async function main(programs) {
  const { url, secret, deliveries, keyless } = JSON.parse(await text(process.stdin))
  const runs = {}
  for (const [kind, load] of Object.entries(programs)) {
    const warnings = []
    const apiKey = keyless.includes(kind) ? undefined : 'sk_test_1'
    runs[kind] = await end(load, deliveries[kind] ?? [], { url, secret, warnings, apiKey })
  }
  process.stdout.write(`${JSON.stringify(runs)}\n`)
}

async function end(load, deliveries, surroundings) {
  const { warnings } = surroundings
  let program
  try {
    program = await load()
  } catch (error) {
    return { warnings, error: { message: String(error), status: null, atLoad: true } }
  }
  try {
    return { value: (await perform(program, deliveries, surroundings)) ?? null, warnings }
  } catch (error) {
    const status = error instanceof APIError ? error.status : null
    return { warnings, error: { message: String(error), status, atLoad: false } }
  }
}

async function perform({ call, handle }, deliveries, { url, secret, warnings, apiKey }) {
  const warn = (message) => warnings.push(message)
  const nothing = () => {}
  const logger = { debug: nothing, info: nothing, warn, error: nothing }
  if (call) return call(new Shop({ apiKey, baseURL: url, logger, maxRetries: 0 }))
  const webhooks = new Webhooks(secret)
  const values = []
  for (const { body, headers } of deliveries)
    values.push(await handle(await webhooks.unwrap(body, headers)))
  return values.filter((value) => value != null)
}
