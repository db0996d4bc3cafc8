// How much processor time PostgreSQL takes, as Linux tells it.

import { readdirSync, readFileSync } from 'node:fs'
import type { HostedDatabase } from './hosted-store.ts'

/** Clock ticks of /proc, a second. */
const TICKS = 100

/** The CPU time of PostgreSQL, in microseconds. */
export async function processorTime(database: HostedDatabase): Promise<number> {
  const statOf = (pid: string | number) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  }
  const backend = await database.one('SELECT pg_backend_pid() AS value')
  const postmaster = statOf(backend)[1] ?? ''
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = statOf(pid)
      if (fields[1] === postmaster) ticks += Number(fields[11]) + Number(fields[12])
      // With the children that have ended.
      if (pid === postmaster) for (const at of [11, 12, 13, 14]) ticks += Number(fields[at])
    } catch {
      // It has just ended.
    }
  }
  return (ticks * 1_000_000) / TICKS
}
