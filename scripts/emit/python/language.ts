import type { Language } from '../core/language.ts'

declare module '../../model/types.ts' {
  interface Platform {
    pypi: string
    pythonImport: string
  }
}

export const python = {
  name: 'python',
  title: 'Python',
  fence: 'python',
  names: {
    pypi: { pattern: '^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$' },
    python_import: { pattern: '^[a-z][a-z0-9_]*$' },
  },
  version: { file: 'src/*/_version.py', pattern: /^__version__ = "(.*)"$/dgm },
  runtime: { files: ['src/**/*.py', 'src/**/py.typed', 'pyproject.toml', 'LICENSE'] },
  spelling: {
    apiKey: '`api_key`',
    baseURL: '`base_url`',
    timeout: '`timeout`',
    timeoutUnit: 's',
    maxRetries: '`max_retries`',
    idempotencyKey: '`idempotency_key`',
    connectTimeout: '`connect_timeout`',
    noTimeout: '`None`',
    headers: '`extra_headers`',
    query: '`extra_query`',
    body: '`extra_body`',
    defaultHeaders: '`default_headers`',
    defaultQuery: '`default_query`',
    logLevel: '`log_level`',
    middleware: '`middleware`',
    strict: '`strict`',
    onMismatch: '`on_mismatch`',
    pages: '`iter_pages()`',
    toList: '`to_list(limit=)`',
    requestId: '`request_id_of(value)`',
    cancel: "the task's `CancelledError`, with `aborted_call(error)`",
    outcome: (name) => `"${name}"`,
    error: (name) => name,
  },
  clients: { python: 'Python', 'python-async': 'Python (async)' },
  toolchain: {
    cure: 'Run `node scripts/toolchain/install.ts` with Go on the PATH: a Go module brings Python.',
    debian: [],
  },
  load: () => import('./index.ts'),
} satisfies Language
