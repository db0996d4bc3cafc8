import { Schema } from '../postgres.ts'
import { storeContract } from './contract.ts'

storeContract('PostgreSQL', async (now) => {
  const schema = new Schema()
  const store = await schema.open({ now })
  return {
    store,
    reopen: async () => {
      await store.close()
      return schema.open({ now })
    },
    clean: () => schema.drop(),
  }
})
