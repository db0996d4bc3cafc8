// The store behind a pooler in transaction mode: each statement may get another connection.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../../scripts/services/service.ts'
import type { PostgresStore } from '../../src/store/postgres/index.ts'
import { pgBouncer } from '../pgbouncer.ts'
import { Schema } from '../postgres.ts'
import { storeContract } from './contract.ts'

describe('behind PgBouncer', () => {
  let pooler: Service
  beforeAll(async () => {
    pooler = await pgBouncer(2)
  })
  afterAll(() => pooler.stop())

  storeContract('PostgreSQL', async (now) => {
    const schema = new Schema()
    const open = () => schema.open({ url: pooler.url, now })
    const store = await open()
    return {
      store,
      reopen: async () => {
        await store.close()
        return open()
      },
      clean: () => schema.drop(),
    }
  })

  it('processes hear of each other, and share few connections', async () => {
    const schema = new Schema()
    const stores: PostgresStore[] = []
    for (let made = 0; made < 5; made++) stores.push(await schema.open({ url: pooler.url }))
    const [first, ...others] = stores
    for (const { peers, replicas } of others) peers.handle('id', async () => replicas.id)
    const asked = Array.from({ length: 10 }, () => first?.peers.requestAll('id', null))
    for (const responses of await Promise.all(asked)) expect(responses).toHaveLength(4)
    await Promise.all(stores.map((store) => store.close()))
    await schema.drop()
  })
})
