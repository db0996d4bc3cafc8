import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../scripts/inputs/vitest.ts', 'test/setup.ts'],
    // Every test starts processes of its own; two at a time keep two cores busy.
    fileParallelism: false,
    sequence: { concurrent: true },
    maxConcurrency: 2,
    // A net for what hangs, wide enough for a machine that does other work.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
