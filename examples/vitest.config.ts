import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/setup.ts',
    // Every test starts processes of its own; two at a time keep two cores busy.
    fileParallelism: false,
    sequence: { concurrent: true },
    maxConcurrency: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
