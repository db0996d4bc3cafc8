import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './inputs/vitest.ts',
    // Only for tests that hang: generous, so that a busy machine passes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
