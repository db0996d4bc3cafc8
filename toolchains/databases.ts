import { load } from '../scripts/toolchain/packages.ts'

export const BetterSqlite3 = load<typeof import('better-sqlite3')>('better-sqlite3')
export const { Redis: IORedis } = load<typeof import('ioredis')>('ioredis')
export const { Redis: IORedis5 } = load<typeof import('ioredis-5')>('ioredis-5')
export const Pg = load<typeof import('pg')>('pg')
export const Postgres = load<typeof import('postgres')>('postgres')
export const redis = load<typeof import('redis')>('redis')
export const redis4 = load<typeof import('redis-4')>('redis-4')
