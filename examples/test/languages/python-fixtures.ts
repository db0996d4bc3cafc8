import type { Probe } from '../languages.ts'
import type { Files } from '../projects.ts'

/** The database that readers bring. */
export const DATABASE: Files = {}

export const PROBE: Probe = {
  command: 'python probe.py',
  files: {
    'probe.py': `
from concurrent.futures import ThreadPoolExecutor

from sqlite_store import SqliteStore

states: list[str] = []


def begin(store: SqliteStore, event_id: str) -> str:
    lease = store.begin(event_id)
    states.append(lease.state)
    return lease.token


store = SqliteStore("probe.db")
hasty = SqliteStore("probe.db", lease=0)

first = begin(store, "evt_1")
begin(store, "evt_1")
store.done("evt_1", "wrong")
store.release("evt_1", "wrong")
begin(store, "evt_1")
store.release("evt_1", first)
second = begin(store, "evt_1")
store.done("evt_1", first)
begin(store, "evt_1")
store.done("evt_1", second)
begin(store, "evt_1")

late = begin(hasty, "evt_2")
overtaker = begin(store, "evt_2")
hasty.done("evt_2", late)
hasty.release("evt_2", late)
begin(store, "evt_2")
store.done("evt_2", overtaker)
begin(store, "evt_2")
with ThreadPoolExecutor(20) as threads:
    leases = [*threads.map(store.begin, ["evt_3"] * 20)]
print(*states, [lease.state for lease in leases].count("new"))
`,
  },
}
