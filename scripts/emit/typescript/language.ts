import type { Language } from '../core/language.ts'

declare module '../../model/types.ts' {
  interface Platform {
    npm: string
  }
}

export const typescript = {
  name: 'typescript',
  title: 'TypeScript',
  fence: 'ts',
  names: { npm: { pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$' } },
  version: { file: 'src/version.ts', pattern: /^export const VERSION = '(.*)'$/dgm },
  runtime: {
    files: [
      'src/**/*.ts',
      'package.json',
      'tsconfig.json',
      'tsup.config.ts',
      'LICENSE',
      'THIRD_PARTY_NOTICES',
    ],
  },
  root: ['package.json', 'tsconfig.base.json'],
  spelling: {
    apiKey: '`apiKey`',
    baseURL: '`baseURL`',
    timeout: '`timeout`',
    timeoutUnit: 'ms',
    maxRetries: '`maxRetries`',
    idempotencyKey: '`idempotencyKey`',
    connectTimeout: 'none: an agent in `fetch`',
    noTimeout: '`null`',
    headers: '`headers`',
    query: '`query`',
    body: '`extraBody`',
    defaultHeaders: '`defaultHeaders`',
    defaultQuery: '`defaultQuery`',
    logLevel: '`logLevel`',
    middleware: '`middleware`',
    strict: '`strict`',
    onMismatch: '`onMismatch`',
    pages: '`iterPages()`',
    toList: '`toArray({ limit })`',
    requestId: '`requestIdOf(value)`',
    cancel: '`signal`; an `AbortedCallError` with the name of the reason',
    outcome: (name) => `'${name}'`,
    error: (name) => name,
  },
  clients: { typescript: 'TypeScript' },
  toolchain: null,
  load: () => import('./index.ts'),
} satisfies Language
