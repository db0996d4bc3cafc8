import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OutFile } from '../emit/core/file.ts'
import { docString } from '../emit/python/doc.ts'
import { emit, nameClashes, packageFiles } from '../emit/python/index.ts'
import { python } from '../emit/python/language.ts'
import { quote } from '../emit/python/literal.ts'
import { argument, attribute, KEYWORDS, resourceModule } from '../emit/python/naming.ts'
import type { Api } from '../model/types.ts'
import { ROOT, readRuntime } from '../repository.ts'
import { pythons, tool } from '../toolchain/languages/python.ts'
import { complaintsOf } from './compile/complaints.ts'
import { gather } from './compile/python.ts'
import { CASES, filesOf, modelOf, NAMES, SOURCES, write } from './support.ts'

const SDK = join(ROOT, 'sdks/python')
const GENERATED = /^src\/\w+\/(?:__init__\.py|_generated\/.*\.py)$/

describe('the Python SDK', () => {
  let emitted: Map<string, string>

  beforeAll(async () => {
    const api = await modelOf(join(ROOT, 'openapi.yaml'))
    const files = emit(api, SOURCES)
    emitted = new Map(files.map(({ path, content }) => [path, content]))
  })

  it('has every generated file of the package and no other', () => {
    expect([...emitted.keys()].sort()).toEqual([...filesOf(SDK, GENERATED).keys()])
  })

  it.each([...filesOf(SDK, GENERATED).keys()])('is generated from the contract: %s', (path) => {
    expect(emitted.get(path)).toBe(readFileSync(join(SDK, path), 'utf8'))
  })
})

const HOSTILE = [
  '"',
  '\\',
  '\\"',
  '"""',
  '""" + evil() + """',
  "'''",
  '""\0"',
  'a\nb\r\nc\t\v\f',
  '\u2028\u2029\ufeff',
  '{x} %s #{x}',
  '\\N{DASH} \\u0041 \\x41',
  '# type: ignore', // Hostile input: nothing is suppressed here.
  '日本 😀',
  '\ud800',
]

describe('text of a contract', () => {
  it('survives a string literal unchanged', () => {
    const program = 'import ast; values = [ast.literal_eval(text) for text in given]'
    expect(evaluate(program, HOSTILE.map(quote))).toEqual(HOSTILE)
  })

  it('stays inside its docstring', () => {
    const functions = HOSTILE.map((text) => {
      const doc = docString(`Says ${text}`, 100) ?? ''
      // As a file has it.
      return Buffer.from(`def f():\n${doc.replace(/^/gm, '    ')}\nafter()`).toString()
    })
    const program =
      'import ast; values = [[type(one).__name__ for one in ast.parse(text).body] for text in given]'
    expect(evaluate(program, functions)).toEqual(HOSTILE.map(() => ['FunctionDef', 'Expr']))
  })
})

describe('names', () => {
  it.each([
    [['class'], 'class_'],
    [['timeout'], 'timeout_'],
    [['seat', 'ID'], 'seat_id'],
    [['2', 'fa'], 'n2_fa'],
    [['größe'], 'größe'],
    // What Python takes for the same name is the same name.
    [['ﬁ', 'x²'], 'fi_x2'],
    [['½'], 'n1_2'],
    [[], 'n'],
  ])('calls an argument of the words %j %s', (name, expected) => {
    expect(argument(name)).toBe(expected)
  })

  it('renames a field with the name of a model member', () => {
    expect(attribute(['to', 'dict'])).toBe('to_dict_')
  })

  it('writes the names of modules in ASCII', () => {
    expect(resourceModule({ path: [['größen']] })).toBe('_generated.resources.gruf6udfen')
  })

  it('includes all keywords of Python', () => {
    const words = evaluate('import keyword; values = keyword.kwlist', [])
    expect(words).toEqual(expect.arrayContaining([...KEYWORDS]))
    expect(words).toHaveLength(KEYWORDS.size)
  })

  it('reports a taken name, with its location and the fix', async () => {
    const text = { type: 'string' }
    const properties = { '2fa': text, n2fa: text, page: ref('Page'), none: ref('None') }
    const schemas = {
      Page: { type: 'object' },
      None: { type: 'object' },
      Thing: { type: 'object', properties },
    }
    const content = { 'application/json': { schema: ref('Thing') } }
    const get = (method: string, ...names: string[]) => ({
      get: {
        'x-sdk-method': method,
        parameters: names.map((name) => ({ name, in: 'query', schema: text })),
        responses: { 200: { description: '', content } },
      },
    })
    const paths = {
      '/a': get('close.now'),
      '/b': get('a.b_c.get'),
      '/c': get('a_b.c.get'),
      '/d': get('things.get', '2d', 'n2d'),
      '/e': { post: { ...get('things.create', 'body').get, requestBody: { content } } },
    }
    const info = { title: 'Clashes', version: '1' }
    const document = { openapi: '3.1.0', info, paths, components: { schemas } }

    const clashes = nameClashes(await modelOf(write(JSON.stringify(document))))

    expect(clashes.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      '/components/schemas/None: the Python SDK already has a type None',
      '/components/schemas/Page: the Python SDK already has a type Page',
      '/components/schemas/Thing/properties/n2fa: the Python SDK cannot have two fields n2fa of Thing',
      '/paths/~1a/get: the Python SDK cannot have close.now',
      '/paths/~1c/get: the Python SDK cannot have a_b.c.get',
      '/paths/~1d/get: the Python SDK cannot have two arguments n2d of GET /d',
      '/paths/~1e/post: the Python SDK cannot have two arguments body of POST /e',
    ])
    expect(clashes.every(({ fix }) => fix.includes('x-sdk-'))).toBe(true)
  })
})

it('uses the names of a package everywhere', async () => {
  const api = await modelOf(join(CASES, 'tagged/openapi.yaml'))
  const names = { title: 'Pet Shop', client: 'PetShop', envPrefix: 'ACME', mockNpm: '@acme/mock' }
  const platform = { ...api.platform, ...names, pypi: 'pet-shop', pythonImport: 'pet_shop' }
  const files = packageOf({ ...api, platform })
  const ours = files.filter(({ path, content }) => /support.?chat/i.test(`${path} ${content}`))
  expect(ours.map(({ path }) => path)).toEqual(['LICENSE'])
  const metadata = files.find(({ path }) => path === 'pyproject.toml')?.content
  expect(metadata).toContain('name = "pet-shop"')
  expect(metadata).toContain('packages = ["src/pet_shop"]')
  expect(metadata).toContain('path = "src/pet_shop/_version.py"')
  expect(metadata).not.toContain('tests')
})

it('has webhooks in a package only where the contract has signed events', async () => {
  const webhooks =
    /^src\/\w+\/(?:webhooks\/.+|testing|_generated\/(?:events|samples|signature))\.py$/
  const pathsOf = async (name: string) => {
    const api = await modelOf(join(CASES, name, 'openapi.yaml'))
    return packageOf(api).flatMap(({ path }) => (webhooks.test(path) ? [path] : []))
  }
  expect(await pathsOf('tagged')).toEqual([])
  const paths = await pathsOf('webhooks')
  const generated = ['events.py', 'signature.py', 'samples.py']
  expect(paths.slice(0, 3).map((path) => basename(path))).toEqual(generated)
  const written = filesOf(SDK, /^src\/\w+\/(?:webhooks\/.+|testing)\.py$/)
  expect(paths.slice(3).sort()).toEqual([...written.keys()])
})

describe('the clients of the cases', { timeout: 300_000 }, () => {
  const cwd = fileURLToPath(new URL('runs/python', import.meta.url))
  const out = mkdtempSync(join(tmpdir(), 'runs-'))
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }

  beforeAll(async () => {
    const folders: string[] = []
    for (const name of readdirSync(CASES).filter((name) => name !== 'negative')) {
      const api = await modelOf(join(CASES, name, 'openapi.yaml'), NAMES)
      const folder = join(out, name, 'python')
      for (const { path, content } of packageOf(api)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
      folders.push(folder)
    }
    mkdirSync(join(out, 'packages/cases'), { recursive: true })
    gather(folders, join(out, 'packages/cases'))
    return () => rmSync(out, { recursive: true })
  })

  it.each(['oldest', 'newest'] as const)(
    'send and read what their contracts say: %s Python',
    async (age) => {
      const args = ['-p', 'no:cacheprovider', '.']
      const options = { cwd, env: { ...env, PYTHONPATH: join(out, 'packages') } }
      expect(await complaintsOf(tool('pytest', age), args, options)).toEqual([])
    },
  )

  it('are tested by code that is formatted, and in which ruff finds nothing', async () => {
    const check = await complaintsOf(tool('ruff'), ['check', '--no-cache', '.'], { cwd })
    const format = await complaintsOf(tool('ruff'), ['format', '--no-cache', '--check'], { cwd })
    expect([...check, ...format]).toEqual([])
  })

  it('have the types that their callers rely on', async () => {
    const args = ['--cache-dir', join(out, 'cache'), '.']
    const options = { cwd, env: { ...env, MYPYPATH: [join(out, 'packages'), cwd].join(delimiter) } }
    expect(await complaintsOf(tool('mypy'), args, options)).toEqual([])
  })
})

/** A whole package without its README. */
function packageOf(api: Api): OutFile[] {
  const generated = emit(api, SOURCES)
  return [...generated, ...packageFiles(api, readRuntime(python))]
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

/** The `values` of a program that runs with `given`. */
function evaluate(program: string, given: readonly string[]): unknown {
  const code = `import json, sys\ngiven = json.load(sys.stdin)\n${program}\nprint(json.dumps(values))`
  const input = JSON.stringify(given)
  return JSON.parse(execFileSync(pythons.oldest, ['-c', code], { input, encoding: 'utf8' }))
}
