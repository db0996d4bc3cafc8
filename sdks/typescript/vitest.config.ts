import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The environment of the machine must not stand in for options.
    env: { SUPPORT_CHAT_API_KEY: '', SUPPORT_CHAT_BASE_URL: '' },
    restoreMocks: true,
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
  },
})
