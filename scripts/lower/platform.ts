import type { Platform } from '../model/types.ts'
import { type Problem, readYaml } from '../yaml/index.ts'

const pattern = (pattern: string) => ({ type: 'string', pattern })

// A module of one of these names would open what belongs to Ruby.
const RUBY_CONSTANTS =
  `Array Base64 Benchmark Bundler CGI Class Comparable Date Digest Dir ENV Encoding
  Enumerable Errno Exception Fiber File Float GC Gem Hash IO Integer JSON Kernel Logger Marshal Math
  Method Minitest Module Mutex Net Numeric Object ObjectSpace OpenSSL Proc Process Psych Queue RBS Ractor
  Rake Random Range Rational Regexp RubyVM SecureRandom Set Signal Socket String Struct Symbol Thread
  Time Timeout URI WebMock YAML Zlib`.split(/\s+/)

// Names end up in code, in file names and in commands: nothing else than names may come through.
const NPM = '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$'
const NAMES = {
  title: pattern('^[A-Za-z][A-Za-z0-9 ]*$'),
  client: pattern('^[A-Z][A-Za-z0-9]*$'),
  env_prefix: pattern('^[A-Z][A-Z0-9_]*$'),
  npm: pattern(NPM),
  mock_npm: pattern(NPM),
  pypi: pattern('^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$'),
  python_import: pattern('^[a-z][a-z0-9_]*$'),
  gem: {
    ...pattern('^[a-z][a-z0-9_]*$'),
    'x-must-be': 'one name, like acme_shop, in which a dash would stand for a nested module',
  },
  ruby_module: {
    ...pattern(`^(?!(?:${RUBY_CONSTANTS.join('|')})$)[A-Z][A-Za-z0-9]*$`),
    'x-must-be': 'one constant of its own, like Acme, and neither nested nor one of Ruby',
  },
  go_module: pattern('^[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9][A-Za-z0-9._~-]*)*$'),
  go_package: pattern('^[a-z][a-z0-9]*$'),
  published: { type: 'boolean' },
}

const SCHEMA = {
  type: 'object',
  required: Object.keys(NAMES),
  properties: NAMES,
  additionalProperties: false,
}

/** `names.yaml` as it is written. */
type Names = Record<Exclude<keyof typeof NAMES, 'published'>, string> & { published: boolean }

/** Reads what the platform and its packages are called. */
export async function loadPlatform(
  file: string,
): Promise<{ platform: Platform | null; problems: Problem[] }> {
  const { value, problems } = await readYaml<Names>(file, SCHEMA)
  return { platform: value && platformOf(value), problems }
}

function platformOf(names: Names): Platform {
  return {
    title: names.title,
    client: names.client,
    envPrefix: names.env_prefix,
    npm: names.npm,
    mockNpm: names.mock_npm,
    pypi: names.pypi,
    pythonImport: names.python_import,
    gem: names.gem,
    rubyModule: names.ruby_module,
    goModule: names.go_module,
    goPackage: names.go_package,
    published: names.published,
  }
}
