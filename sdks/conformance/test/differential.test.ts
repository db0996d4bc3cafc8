// Random calls and responses. All languages must agree on them, whatever the expectation would be.
import { beforeAll, expect, it } from 'vitest'
import { Clients, type Found } from '../differential/play.ts'
import { CLIENTS, prepare } from '../runner/languages.ts'
import { generatePackages } from '../runner/packages.ts'

const { SCENARIOS, FIRST_SEED } = process.env
const count = Number(SCENARIOS ?? 210)
/** The same in every run, and new ones in a soak, which sets the number of scenarios. */
const first = Number(FIRST_SEED ?? (SCENARIOS === undefined ? 0 : Date.now() % 1e9))

/** More differences than these are not worth the time. */
const ENOUGH = 5

let clients: Clients
beforeAll(async () => {
  const packages = await generatePackages()
  const commands = CLIENTS.map(
    async (name) => [name, await prepare(name, packages.folder)] as const,
  )
  clients = new Clients(new Map(await Promise.all(commands)))
  return () => {
    clients.stop()
    packages.remove()
  }
})

it(`all languages agree on ${count} random calls, from seed ${first}`, {
  timeout: 7_200_000,
}, async () => {
  const found: Found[] = []
  for (let seed = first; seed < first + count && found.length < ENOUGH; seed++) {
    const one = await clients.compare(seed)
    if (one) found.push(one)
  }
  expect(found).toEqual([])
})
