import { defineConfig } from 'vitest/config'

/** What runs on both stores: the sandbox, deliveries, control and pages. */
const ON_BOTH = [
  'client-commands',
  'commands-of-control',
  'control*',
  'dashboard*',
  'delivery',
  'fault-rules',
  'forwarder',
  'held-deliveries',
  'hostile',
  'idempotency',
  'in-test',
  'life',
  'mock-server',
  'paging',
  'record',
  'replay',
  'requests',
  'requests-command',
  'schedule',
  'seed',
  'snapshots',
  'state',
  'worker',
  'worker-changes',
]

/**
 * What also runs on two servers behind a balancer, which is all that works from any of them. Left out are files that
 * compare the URL of the server, the order of calls under a clock that stands still, or requests that are no HTTP, and
 * those whose fake timers also stop what one process asks of another.
 */
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
          include: ON_BOTH.map((name) => `test/${name}.test.ts`),
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
