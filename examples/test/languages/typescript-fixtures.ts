import type { Probe } from '../languages.ts'
import type { Files } from '../projects.ts'

/** The database that readers bring. */
export const DATABASE: Files = {}

export const PROBE: Probe = {
  command: 'node probe.ts',
  files: {
    'probe.ts': `
import { DatabaseSync } from 'node:sqlite'
import { SqliteDedupeStore } from '@support-chat/sdk/webhooks/sqlite'

const states: string[] = []
function begin(store: SqliteDedupeStore, id: string): string {
  const lease = store.begin(id)
  states.push(lease.state)
  return lease.state === 'new' ? lease.token : ''
}
const database = new DatabaseSync('probe.db')
const store = new SqliteDedupeStore(database)
const hasty = new SqliteDedupeStore(database, { lease: 0 })
store.setup()

const first = begin(store, 'evt_1')
begin(store, 'evt_1')
store.done('evt_1', 'wrong')
store.release('evt_1', 'wrong')
begin(store, 'evt_1')
store.release('evt_1', first)
const second = begin(store, 'evt_1')
store.done('evt_1', first)
begin(store, 'evt_1')
store.done('evt_1', second)
begin(store, 'evt_1')

const late = begin(hasty, 'evt_2')
const overtaker = begin(store, 'evt_2')
hasty.done('evt_2', late)
hasty.release('evt_2', late)
begin(store, 'evt_2')
store.done('evt_2', overtaker)
begin(store, 'evt_2')
const leases = Array.from({ length: 20 }, () => store.begin('evt_3'))
console.log(...states, leases.filter(({ state }) => state === 'new').length)
`,
  },
}
