/** The databases, and what stands in front of them, that stores are tested on. */
import { globSync } from 'node:fs'
import { anyOf, candidates, once, one } from './find.ts'
import { provideDebian } from './provide.ts'

const DEBIAN = ['redis-server', 'postgresql', 'pgbouncer']
const CURE = `Install Redis 6, PostgreSQL 13 and PgBouncer 1.18 or newer; on Debian: apt-get install ${DEBIAN.join(' ')}`

// Debian keeps PostgreSQL's programs of each major version apart, outside of the PATH.
const folders = once(() => globSync('/usr/lib/postgresql/*/bin').sort().reverse())
const redis = once(() => one('6', candidates(['redis-server']), ['--version'], CURE))
const pgbouncer = once(() =>
  one('1.18', candidates(['pgbouncer'], ['/usr/sbin']), ['--version'], CURE),
)
const postgres = (name: string) => anyOf(candidates([name], folders()), CURE)

/** Absolute paths. */
export const programs = {
  get 'redis-server'() {
    return redis().path
  },
  get initdb() {
    return postgres('initdb')
  },
  get postgres() {
    return postgres('postgres')
  },
  get pg_isready() {
    return postgres('pg_isready')
  },
  get pg_basebackup() {
    return postgres('pg_basebackup')
  },
  get pgbouncer() {
    return pgbouncer().path
  },
}

export function provide(): void {
  provideDebian(DEBIAN, () => Object.values(programs))
}
