import { defineConfig } from 'vitest/config'

/**
 * What also runs on PostgreSQL, by one server: it compares the URL of the server, the order of calls under a clock that
 * stands still, or requests that are no HTTP; or it has fake timers, which also stop what processes ask of each other.
 */
const ON_POSTGRES = [
  'client-commands',
  'delivery',
  'hostile',
  'idempotency',
  'in-test',
  'life',
  'mock-server',
  'record',
  'requests',
  'requests-command',
  'schedule',
  'worker',
  'worker-changes',
]

/** What also runs on PostgreSQL, by two servers behind a balancer that gives each request to the other one. */
const ON_REPLICAS = [
  'commands-of-control',
  'control*',
  'dashboard*',
  'fault-rules',
  'forwarder',
  'held-deliveries',
  'paging',
  'replay',
  'seed',
  'snapshots',
  'state',
]

export default defineConfig({
  test: {
    globalSetup: '../scripts/inputs/vitest.ts',
    // A net for what hangs, wide enough for a machine that does other work.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: 'sqlite', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ON_POSTGRES.map((name) => `test/${name}.test.ts`),
          env: { TEST_STORE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'replicas',
          include: ON_REPLICAS.map((name) => `test/${name}.test.ts`),
          env: { TEST_STORE: 'replicas' },
        },
      },
    ],
  },
})
