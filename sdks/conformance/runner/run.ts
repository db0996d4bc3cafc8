import { type AddressInfo, createServer } from 'node:net'
import type { Located } from './case.ts'
import { API_KEY, type Comparison, compare } from './compare.ts'
import type { Driver, Report } from './driver.ts'
import { type Arrived, serve } from './server.ts'
import { unacceptedAddress } from './unaccepted.ts'

const CLOCK = { now: '2026-03-02T09:00:00Z', chance: 1 }

/** Applies the difference of a language to a case. */
export function forLanguage(one: Located, language: string): Located {
  const { reason: _, ...difference } = one.differs?.[language] ?? { reason: '' }
  const replaced = 'returns' in difference || 'raises' in difference
  const { returns: _returns, raises: _raises, ...rest } = one
  const client = { ...one.client, ...difference.client }
  return { ...(replaced ? rest : one), ...difference, client }
}

/** What a driver did: the requests that arrived, and its report. */
export interface Played {
  arrived: readonly Arrived[]
  report: Report
}

/** Plays one case through a driver and compares the outcome. */
export async function runCase(one: Located, driver: Driver): Promise<Comparison> {
  const { arrived, report } = await play(one, driver)
  return compare(one, arrived, report)
}

/** Plays one case through a driver. */
export async function play(one: Located, driver: Driver): Promise<Played> {
  const server = await serve(one.exchanges)
  const unaccepted = mentions('{unaccepted}', one) ? await unacceptedAddress() : null
  try {
    const addresses = {
      '{url}': server.url,
      ...(mentions('{closed}', one) && { '{closed}': await closedAddress() }),
      ...(unaccepted && { '{unaccepted}': unaccepted.url }),
    }
    const report = await driver.carryOut({
      client: filledIn({ api_key: API_KEY, base_url: '{url}', ...one.client }, addresses),
      environment: filledIn(one.environment ?? {}, addresses),
      clock: { ...CLOCK, ...one.clock },
      call: one.call,
      settled_url: server.settled(0),
      cancel_url:
        one.call.cancel === 'connecting' ? server.soon : server.settled(one.exchanges.length),
      times: one.times ?? 1,
    })
    return { arrived: server.arrived, report }
  } finally {
    unaccepted?.close()
    await server.close()
  }
}

/** Options of the client that a case omits with null. For any other, null is a value. */
const OMITTED_BY_NULL = ['api_key', 'base_url']

/** Drops options that the case omits, and fills in the addresses. */
function filledIn<T>(
  values: Readonly<Record<string, T>>,
  addresses: Readonly<Record<string, string>>,
) {
  const fill = (text: string) =>
    Object.entries(addresses).reduce((filled, [name, url]) => filled.replaceAll(name, url), text)
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => value !== null || !OMITTED_BY_NULL.includes(key))
      .map(([key, value]) => [key, (typeof value === 'string' ? fill(value) : value) as T]),
  )
}

function mentions(address: string, { client, environment }: Located): boolean {
  const values = [client, environment].flatMap((given) => Object.values(given ?? {}))
  return values.some((value) => typeof value === 'string' && value.includes(address))
}

/** Returns an address on which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
