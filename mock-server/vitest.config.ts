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
    ],
  },
})
