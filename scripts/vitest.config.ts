import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './inputs/vitest.ts',
    // A net for what hangs, wide enough for a machine that does other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
