// The clients are taken by their shape, which has to fit the types of each library.
import { expectTypeOf, test } from 'vitest'
import type {
  BetterSqlite3,
  IORedis,
  IORedis5,
  Pg,
  Postgres,
  redis,
  redis4,
} from '../../../../toolchains/databases.ts'
import type { PostgresDedupeStore } from '../../src/webhooks/postgres.ts'
import type { RedisDedupeStore } from '../../src/webhooks/redis.ts'
import type { SqliteDedupeStore } from '../../src/webhooks/sqlite.ts'

type RedisClient = ConstructorParameters<typeof RedisDedupeStore>[0]
type PostgresClient = ConstructorParameters<typeof PostgresDedupeStore>[0]
type Transaction = Parameters<PostgresDedupeStore['once']>[1]
type Sqlite = ConstructorParameters<typeof SqliteDedupeStore>[0]

test('clients, pools and clusters of Redis fit', () => {
  expectTypeOf<InstanceType<typeof IORedis>>().toExtend<RedisClient>()
  expectTypeOf<InstanceType<typeof IORedis.Cluster>>().toExtend<RedisClient>()
  expectTypeOf<InstanceType<typeof IORedis5.Cluster>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof redis.createClient>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof redis.createCluster>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof redis.createClientPool>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof redis.createSentinel>>().toExtend<RedisClient>()
  expectTypeOf<ReturnType<typeof redis4.createCluster>>().toExtend<RedisClient>()
})

test('clients and pools of PostgreSQL fit', () => {
  expectTypeOf<InstanceType<typeof Pg.Pool>>().toExtend<PostgresClient>()
  expectTypeOf<InstanceType<typeof Pg.Client>>().toExtend<PostgresClient>()
  expectTypeOf<InstanceType<typeof Pg.Client>>().toExtend<Transaction>()
  expectTypeOf<ReturnType<typeof Postgres>>().toExtend<PostgresClient>()
  expectTypeOf<string>().not.toExtend<PostgresClient>()
})

test('databases of SQLite fit', () => {
  expectTypeOf<InstanceType<typeof BetterSqlite3>>().toExtend<Sqlite>()
  expectTypeOf<import('node:sqlite').DatabaseSync>().toExtend<Sqlite>()
})
