import type { Language } from '../core/language.ts'

declare module '../../model/types.ts' {
  interface Platform {
    goModule: string
    goPackage: string
  }
}

export const go = {
  name: 'go',
  title: 'Go',
  fence: 'go',
  names: {
    go_module: { pattern: '^[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9][A-Za-z0-9._~-]*)*$' },
    go_package: { pattern: '^[a-z][a-z0-9]*$' },
  },
  version: { file: 'version.go', pattern: /^const Version = "(.*)"$/dgm },
  runtime: { files: ['*.go', '*test/*.go', 'go.mod', 'LICENSE'], exclude: ['**/*_test.go'] },
  spelling: {
    apiKey: '`WithAPIKey`',
    baseURL: '`WithBaseURL`',
    timeout: '`WithTimeout`',
    timeoutUnit: 's',
    maxRetries: '`WithMaxRetries`',
    idempotencyKey: '`WithIdempotencyKey`',
    connectTimeout: '`WithConnectTimeout`',
    noTimeout: '`0`',
    headers: '`WithHeader`',
    query: '`WithQuery`',
    body: '`WithBodyField`',
    defaultHeaders: '`WithHeader`',
    defaultQuery: '`WithQuery`',
    logLevel: '`WithLogLevel`',
    middleware: '`WithMiddleware`',
    strict: '`WithStrict`',
    onMismatch: '`WithMismatchHook`',
    pages: '`Pages`',
    toList: '`Collect`',
    requestId: '`WithRequestIDInto`',
    cancel: "the context; an `*AbortedCallError` around the context's error",
    outcome: (name) =>
      `Outcome${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    error: (name) => `*${name}`,
  },
  clients: { go: 'Go' },
  toolchain: {
    cure: 'Install Go 1.24 or newer, and have go on the PATH.',
    debian: [],
  },
  load: () => import('./index.ts'),
} satisfies Language
