import { defineConfig } from 'vitest/config'

// Tests of the whole repository, which depend on every file of it.
export default defineConfig({
  test: { include: ['test/whole/*.test.ts'], testTimeout: 120_000, hookTimeout: 300_000, bail: 1 },
})
