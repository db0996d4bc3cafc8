import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { docComment } from '../emit/typescript/file.ts'
import { literal, propertyKey, quote } from '../emit/typescript/literal.ts'
import { TAKEN_EVENTS, TAKEN_TYPES, variable } from '../emit/typescript/naming.ts'
import { ROOT } from '../repository.ts'
import { CASES, generate, write } from './support.ts'
import { syntheticDocument } from './synthetic.ts'

const HOSTILE = [
  "it's",
  '\\',
  "\\'; evil() //",
  '*/ evil() /*',
  '`\x24{evil()}`',
  'a\nb\r\nc',
  '\u2028\u2029',
  '\0\x1b[31m',
  '\ud800',
  '</script>',
  '"',
]

describe('text of a contract', () => {
  it.each(HOSTILE)('stays inside its string literal: %j', (text) => {
    expect(evaluate(quote(text))).toBe(text)
    expect(quote(text)).not.toMatch(/[\n\r\u2028\u2029]/)
  })

  it.each(HOSTILE)('stays a key of its object: %j', (text) => {
    expect(evaluate(`({ ${propertyKey(text)}: 1 })`)).toEqual({ [text]: 1 })
  })

  it('is a key also where it is __proto__', () => {
    const made = evaluate(`({ ${propertyKey('__proto__')}: 1 })`)
    expect(Object.entries(made as object)).toEqual([['__proto__', 1]])
  })

  it.each(HOSTILE)('stays inside its comment: %j', (text) => {
    const comment = docComment(`Says ${text} and continues.`, 100) ?? ''
    const file = ts.createSourceFile('a.ts', `${comment}\nconst a = 1`, ts.ScriptTarget.Latest)
    expect(file.statements).toHaveLength(1)
    expect(comment.indexOf('*/')).toBe(comment.length - 2)
  })

  it('does not make a tag of a line that starts like one', () => {
    expect(docComment('First.\n\n@internal\n\n@deprecated', 100)).toBe(
      '/**\n * First.\n *\n * \\@internal\n *\n * @deprecated\n */',
    )
  })
})

describe('literals', () => {
  it.each([
    [1, '1'],
    [999, '999'],
    [1_048_576, '1_048_576'],
    [0.75, '0.75'],
    [12345.678, '12345.678'],
    [-1000, '-1_000'],
  ])('writes %d as %s', (value, text) => {
    expect(literal(value)).toBe(text)
    expect(evaluate(text)).toBe(value)
  })
})

describe('names', () => {
  it.each([
    [['class'], 'class_'],
    [['options'], 'options_'],
    [['seat', 'id'], 'seatId'],
    [['2', 'fa'], '_2Fa'],
  ])('calls a variable of the words %j %s', (name, expected) => {
    expect(variable(name)).toBe(expected)
  })

  it('are taken where the package exports them by itself', () => {
    const typesOf = (path: string) => exportsOf(path).filter((name) => /^[A-Z]/.test(name))
    const exported = typesOf('src/index.ts')
    expect(exported).toContain('APIError')
    expect(exported.filter((name) => !TAKEN_TYPES.has(name))).toEqual([])

    const webhooks = typesOf('src/webhooks/index.ts')
    expect(webhooks).toContain('Webhooks')
    expect(webhooks.filter((name) => !TAKEN_EVENTS.has(name))).toEqual([])
  })
})

describe('a package for another contract', () => {
  const packageOf = async (name: string) => {
    const { out } = await generate(join(CASES, name, 'openapi.yaml'))
    const folder = join(out, 'typescript')
    const text = (path: string) => readFileSync(join(folder, path), 'utf8')
    const { exports } = JSON.parse(text('package.json')) as { exports: Record<string, unknown> }
    const built = [...text('tsup.config.ts').matchAll(/^ {2}'?([\w-]+)'?: '(src\/.*)',$/gm)]
    return {
      folder,
      entries: Object.keys(exports),
      built: built.map(([, entry = '', source = '']) => [entry, existsSync(join(folder, source))]),
    }
  }

  it('has an entry for each thing that it can do with events', async () => {
    const { entries, built } = await packageOf('webhooks')
    const own = JSON.parse(readFileSync(join(ROOT, 'sdks/typescript/package.json'), 'utf8'))
    expect(entries).toEqual(Object.keys(own.exports))
    const entryFiles = entries.map((entry) => entry.slice(2).replace('/', '-') || 'index')
    const named = entryFiles.filter((name) => name !== 'package.json')
    expect(built).toEqual([...named, 'names', 'error'].map((name) => [name, true]))
  })

  it('has no entry for events where there are none', async () => {
    const { folder, entries, built } = await packageOf('dates')
    expect(entries).toEqual(['.', './raw', './opentelemetry', './msw', './package.json'])
    expect(built).toEqual([
      ['index', true],
      ['raw', true],
      ['opentelemetry', true],
      ['msw', true],
      ['names', true],
    ])
    for (const part of ['webhooks', 'testing']) {
      expect(existsSync(join(folder, 'src', part))).toBe(false)
    }
  })

  it('has a test kit for its events', async () => {
    const { folder } = await packageOf('webhooks')
    const [kit, { Webhooks }, { webhookHandler }] = await Promise.all(
      ['testing/index.ts', 'webhooks/index.ts', 'webhooks/fetch.ts'].map(
        (path) => import(join(folder, 'src', path)),
      ),
    )
    const large = 9_007_199_254_740_993n
    const event = kit.fakeEvent('order.paid', { data: { amount: large } })
    expect(event).toMatchObject({ event: 'order.paid', data: { amount: large } })

    const events: unknown[] = []
    const receive = webhookHandler(new Webhooks('secret'), (one: unknown) => events.push(one))
    const overrides = { data: { amount: large } }
    for (const delivery of [
      await kit.fakeDelivery('order.paid', { secret: 'secret', overrides }),
      await kit.fakeDelivery('future', { secret: 'secret' }),
    ]) {
      expect(Object.keys(delivery.headers)).toContain('x-shop-signature')
      expect(delivery.headers['x-shop-signature']).toMatch(/^sha256=[\w+/]{43}=$/)
      const request = new Request('http://localhost/', { method: 'POST', ...delivery })
      expect((await receive(request)).status).toBe(204)
    }
    expect(events).toEqual([event, kit.fakeEvent('future')])
  })
})

it('generates a document of 288 operations', { timeout: 300_000 }, async () => {
  const file = write(JSON.stringify(syntheticDocument(288)), 'openapi.json')
  const { exit, messages } = await generate(file)
  expect(messages).toEqual([])
  expect(exit).toBe(0)
})

function evaluate(expression: string): unknown {
  const { outputText } = ts.transpileModule(`export const value = ${expression}`, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const exports: { value?: unknown } = {}
  new Function('exports', outputText)(exports)
  return exports.value
}

/** The names that a hand-written module of the SDK exports one by one. */
function exportsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, 'sdks/typescript', path), 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  return file.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    statement.exportClause &&
    ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  )
}
