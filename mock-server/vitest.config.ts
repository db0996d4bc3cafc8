import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is asked again and again may be a command that starts a process each time.
    expect: { poll: { timeout: 10_000 } },
  },
})
