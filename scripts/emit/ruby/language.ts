import type { Language } from '../core/language.ts'

declare module '../../model/types.ts' {
  interface Platform {
    gem: string
    rubyModule: string
  }
}

// A module with one of these names would reopen a constant of Ruby.
const CONSTANTS = `Array Base64 Benchmark Bundler CGI Class Comparable Date Digest Dir ENV Encoding
  Enumerable Errno Exception Fiber File Float GC Gem Hash IO Integer JSON Kernel Logger Marshal Math
  Method Minitest Module Mutex Net Numeric Object ObjectSpace OpenSSL Proc Process Psych Queue RBS Ractor
  Rake Random Range Rational Regexp RubyVM SecureRandom Set Signal Socket String Struct Symbol Thread
  Time Timeout URI WebMock YAML Zlib`.split(/\s+/)

const DEBIAN = [
  'ruby',
  'rake',
  'ruby-minitest',
  'ruby-webmock',
  'ruby-activesupport',
  'ruby-rack',
  'ruby-sinatra',
  'ruby-railties',
  'ruby-webrick',
  'ruby-oj',
  'ruby-redis',
  'ruby-pg',
  'ruby-sqlite3',
  'ruby-activerecord',
  'puma',
  'rubocop',
]

export const ruby = {
  name: 'ruby',
  title: 'Ruby',
  fence: 'ruby',
  names: {
    gem: {
      pattern: '^[a-z][a-z0-9_]*$',
      'x-must-be': 'one name like acme_shop, without dashes (a dash means a nested module)',
    },
    ruby_module: {
      pattern: `^(?!(?:${CONSTANTS.join('|')})$)[A-Z][A-Za-z0-9]*$`,
      'x-must-be': 'a constant like Acme, neither nested nor one of Ruby',
    },
  },
  version: { file: 'lib/*/version.rb', pattern: /^ {2}VERSION = "(.*)"$/dgm },
  runtime: {
    files: ['lib/**/*.rb', 'sig/**/*.{rbs,yaml}', '*.gemspec', '.rubocop.yml', 'LICENSE'],
  },
  spelling: {
    apiKey: '`api_key`',
    baseURL: '`base_url`',
    timeout: '`timeout`',
    timeoutUnit: 's',
    maxRetries: '`max_retries`',
    idempotencyKey: '`idempotency_key`',
    connectTimeout: '`connect_timeout`',
    noTimeout: '`nil`',
    headers: '`headers`',
    query: '`query`',
    body: '`body`',
    defaultHeaders: '`default_headers`',
    defaultQuery: '`default_query`',
    logLevel: '`log_level`',
    middleware: '`middleware`',
    strict: '`strict`',
    onMismatch: '`on_mismatch`',
    pages: '`each_page`',
    toList: '`to_a`, `first(n)`',
    requestId: '`request_id_of(value)`',
    cancel: 'the exception that is raised in the thread, marked as `AbortedCall`',
    outcome: (name) => `:${name}`,
    error: (name) => name,
  },
  clients: { ruby: 'Ruby' },
  toolchain: {
    cure: `Install Ruby 3.1 or newer with the gems rake, minitest, webmock, activesupport, rack, sinatra, railties, webrick, oj, redis, pg, sqlite3, activerecord, puma, rubocop and rbs; on Debian: apt-get install ${DEBIAN.join(' ')}`,
    debian: DEBIAN,
  },
  load: () => import('./index.ts'),
} satisfies Language
