import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // A test of the whole repository runs apart, because it depends on every file.
    include: ['test/*.test.ts'],
    globalSetup: './inputs/vitest.ts',
    // Only for tests that hang: generous, so that a busy machine passes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
