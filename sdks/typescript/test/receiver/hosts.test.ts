import { afterAll, beforeAll, describe } from 'vitest'
import { type Host, hosts, places, there } from './hosts.ts'
import { receives } from './suite.ts'

describe.each(Object.entries(hosts))('a receiver in %s', (name, start) => {
  let host: Host
  beforeAll(async () => {
    host = await start()
  }, 300_000)
  afterAll(() => host?.stop())

  receives((setting) => there(host, setting), places[name as keyof typeof hosts])
})
