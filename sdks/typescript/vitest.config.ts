import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: '../../scripts/inputs/vitest.ts',
    // Only for tests that hang: generous, so that a busy machine passes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // The environment of the machine must not stand in for options.
    env: { SUPPORT_CHAT_API_KEY: '', SUPPORT_CHAT_BASE_URL: '' },
    restoreMocks: true,
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
  },
})
