// A process that delivers from PostgreSQL, without the server around it. Ends with the one that forked it.

import { seededChance } from '../mock-server/src/delivery/schedule.ts'
import { Sender } from '../mock-server/src/delivery/sender.ts'
import { Worker } from '../mock-server/src/delivery/worker.ts'
import { PostgresStore } from '../mock-server/src/store/postgres/index.ts'
import { log } from './sandbox.ts'

const [url = '', schema = ''] = process.argv.slice(2)
const onError = (message: string) => process.stderr.write(`${message}\n`)
const store = await PostgresStore.open({ url, directUrl: url, schema, onError })
const sender = new Sender({ allowPrivate: true, encoding: 'hex', userAgent: 'bench' })
const worker = new Worker({
  store: store.outbox,
  now: () => store.now(),
  log,
  send: (job) => sender.send(job),
  schedule: { timeScale: 1, chance: seededChance },
  index: async () => {},
})
await worker.start()
process.on('message', async (message) => {
  if (message === 'usage') process.send?.(process.cpuUsage())
  if (message !== 'stop') return
  await worker.stop()
  await sender.close()
  await store.close()
  process.exit()
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
