import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GoFile } from '../emit/go/file.ts'
import { emit, nameClashes } from '../emit/go/index.ts'
import { go } from '../emit/go/language.ts'
import { fieldTag, quote } from '../emit/go/literal.ts'
import { argument, pascal, TAKEN_EVENTS, TAKEN_TYPES, valueNames } from '../emit/go/naming.ts'
import { PIECES, packageFiles, piecesOf } from '../emit/go/package.ts'
import type { Api } from '../model/types.ts'
import { ROOT, readRuntime } from '../repository.ts'
import { programs } from '../toolchain/languages/go.ts'
import { complaintsOfGo, gather, STATICCHECK, unformatted } from './compile/go.ts'
import { CASES, modelOf, SOURCES, temporaryFolder, write } from './support.ts'

const SDK = join(ROOT, 'sdks/go')
const RUNS = fileURLToPath(new URL('runs/go', import.meta.url))

const own = await modelOf(join(ROOT, 'openapi.yaml'))

describe('our contract', () => {
  const files = emitted(own)
  const standing = globSync('**/*.gen.go', { cwd: SDK })

  it('becomes every generated file of the package', () => {
    expect([...files.keys()].sort()).toEqual(standing.sort())
  })

  it.each([...files])('becomes %s as it stands', (path, content) => {
    expect(content).toBe(readFileSync(join(SDK, path), 'utf8'))
  })

  it('has no name that Go cannot give', () => {
    expect(nameClashes(own)).toEqual([])
  })
})

const HOSTILE = [
  "it's",
  '\\',
  '"; evil() //',
  '*/ evil() /*',
  '`',
  'a\nb\r\nc',
  '\u2028\u2029\ufeff',
  '\0',
]

describe('text of a contract', () => {
  it('stays the same in string literals and tags', () => {
    const literals = HOSTILE.map((text) => `${quote(text)},`)
    const fields = HOSTILE.map((text, index) => `F${index} int ${fieldTag([['wire', text]])}`)
    const program = `package main

import ("encoding/json"; "os"; "reflect")

type tagged struct {
${fields.join('\n')}
}

func main() {
  texts := []string{
${literals.join('\n')}
  }
  var tags []string
  for i := range texts {
    tags = append(tags, reflect.TypeFor[tagged]().Field(i).Tag.Get("wire"))
  }
  json.NewEncoder(os.Stdout).Encode([][]string{texts, tags})
}`
    const file = write(program, 'main.go')
    expect(JSON.parse(execFileSync(programs.go, ['run', file], { encoding: 'utf8' }))).toEqual([
      HOSTILE,
      HOSTILE,
    ])
  })

  it.each(HOSTILE)('stays inside its comment: %j', (text) => {
    const { content } = new GoFile('a', 'a', 'a').doc(`Says ${text} and continues.`).finish()
    const [, , , , ...lines] = content.trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('//'))).toEqual([])
  })

  it('becomes UTF-8 where it has none', () => {
    expect(quote('\ud800')).toBe('"\\ufffd"')
  })
})

it('our package is built from what our contract needs, and from nothing for other contracts', () => {
  // The first line of the other files is the build tag.
  const built = Object.keys(PIECES).filter(
    (path) => !readFileSync(join(SDK, path), 'utf8').startsWith('//go:build everycontract\n'),
  )
  expect(built).toEqual(piecesOf(own))
})

describe('names', () => {
  it.each([
    [['seat', 'id'], 'SeatID'],
    [['user', 'ids'], 'UserIDs'],
    [['URL', 'source'], 'URLSource'],
    [['2', 'fa'], 'X2Fa'],
    [['用'], 'X用'],
    [[], 'Empty'],
  ])('exports the words %j as %s', (name, expected) => {
    expect(pascal(name)).toBe(expected)
  })

  it.each([
    [['ID'], 'id'],
    [['thread', 'id'], 'threadID'],
    [['type'], 'typeValue'],
    [['params'], 'paramsValue'],
    [['list'], 'listValue'],
    [['call'], 'callValueValue'],
    [['2', 'fa'], 'x2Fa'],
  ])('calls an argument of the words %j %s', (name, expected) => {
    expect(argument(name)).toBe(expected)
  })

  it('gives each value of an enum its own name', () => {
    const values = ['handed_off', '+1', '-1', '1.5', '', '*/', 'a', 'A']
    expect(valueNames('X', values)).toEqual([
      'XHandedOff',
      'XPlus1',
      'XMinus1',
      'X1Point5',
      'XEmpty',
      'XValue6',
      'XA',
      'XValue8',
    ])
  })

  it('are taken where the package exports them by itself', () => {
    const sources = readdirSync(SDK).filter((path) => /^\w+\.go$/.test(path) && !/_test/.test(path))
    const exported = sources.flatMap((path) => {
      const text = readFileSync(join(SDK, path), 'utf8')
      return [...text.matchAll(/^(?:func|type|const|var) ([A-Z]\w*)/gm)].map(
        ([, name = '']) => name,
      )
    })
    expect(exported).toContain('InvalidResponseError')
    expect(exported.filter((name) => !TAKEN_TYPES.has(name) && !TAKEN_EVENTS.has(name))).toEqual([])
  })

  it('of types give way to those that the package has itself', async () => {
    const models = await modelsOf({ Page: object({ extra: { type: 'string' } }) })
    expect(models).toContain(
      'type PageModel struct {\n\tExtraField *string `json:"extra,omitzero"`',
    )
  })

  it('that still collide are reported with the fix', async () => {
    const schemas = {
      Author: { type: 'string', enum: ['type', 'name'] },
      AuthorType: object({}),
      Pair: object({ user_id: { type: 'string' }, 'user-id': { type: 'string' } }),
    }
    const clashes = nameClashes(await modelOf(write(JSON.stringify(documentWith(schemas)))))
    expect(clashes.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      '/components/schemas/AuthorType: the Go SDK would have two types or values named AuthorType',
      expect.stringMatching(/Pair.*: the Go SDK would have two fields named UserID$/),
    ])
  })

  it('of arguments and members that collide are reported with the fix', async () => {
    const get = (method: string, ...names: string[]) => ({
      get: {
        'x-sdk-method': method,
        parameters: names.map((name) => ({ name, in: 'path', required: true, schema: {} })),
        responses: { 204: { description: '' } },
      },
    })
    const paths = {
      '/a/{user-id}/{user_id}': get('as.get', 'user-id', 'user_id'),
      '/b': get('do.list'),
      '/c': get('cs.get'),
      '/d': get('cs.get.list'),
    }
    const clashes = nameClashes(await modelOf(write(documentOf(paths), 'openapi.json')))
    expect(clashes.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      '/paths/~1a~1{user-id}~1{user_id}/get: the Go SDK would have two arguments named userID',
      '/paths/~1c/get: the Go SDK would have two members named Get',
      '/paths/~1b/get: the Go SDK would have two members named Do',
    ])
    expect(clashes.every(({ fix }) => fix.includes('x-sdk-'))).toBe(true)
  })
})

it('sends and reads each case as the document describes it', { timeout: 300_000 }, async () => {
  const out = temporaryFolder()
  const packages = readdirSync(CASES)
    .filter((name) => name !== 'negative')
    .map((name) => ({ document: join(CASES, name, 'openapi.yaml'), folder: join(out, name, 'go') }))
  for (const { document, folder } of packages) {
    const api = await modelOf(document)
    const runtime = packageFiles(api, readRuntime(go)).map(({ path, content }) => [path, content])
    for (const [path = '', content = ''] of [...emitted(api), ...runtime]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
  }
  const module = gather(packages.map(({ folder }) => folder))
  onTestFinished(() => rmSync(module, { recursive: true }))
  cpSync(RUNS, join(module, 'runs'), { recursive: true })

  const complaints = await Promise.all([
    unformatted(RUNS),
    complaintsOfGo(['test', './runs'], module),
    complaintsOfGo([...STATICCHECK, './runs'], module),
  ])
  expect(complaints.flat()).toEqual([])
})

describe('types', () => {
  it('breaks a chain of required fields that leads back to its beginning', async () => {
    const models = await modelsOf({
      A: object({ b: ref('B') }, ['b']),
      B: object({ a: ref('A'), list: { type: 'array', items: ref('B') } }, ['a', 'list']),
    })
    expect(models).toMatch(/B \*B\s+`json:"b"`/)
    expect(models).toMatch(/A\s+\*A\s+`json:"a"`/)
    expect(models).toMatch(/List \[\]B\s+`json:"list"`/)
  })

  it('keeps absent, null and a value apart', async () => {
    const nullable = { type: ['string', 'null'] }
    const models = await modelsOf({
      A: object({ may: nullable, must: nullable, some: { type: ['array', 'null'], items: {} } }, [
        'must',
        'some',
      ]),
    })
    expect(models).toMatch(/Must \*string\s+`json:"must"`/)
    expect(models).toMatch(/Some \[\]any\s+`json:"some" nil:"null"`/)
    expect(models).toMatch(/May\s+Optional\[string\]\s+`json:"may,omitzero"`/)
  })

  it('sends no field that only responses hold', async () => {
    const id = { type: 'string', readOnly: true, description: 'Which one.' }
    const sent = body('application/json', object({ id }, ['id']))
    const { models } = await filesOf({ '/as': { post: { operationId: 'createA', ...sent } } })
    expect(models).toContain(
      '// Which one.\n\t//\n\t// Read-only.\n\tID string `json:"id,omitzero" required:"true"`',
    )
  })

  it('puts a wire name that a json tag cannot hold into a separate tag', async () => {
    const models = await modelsOf({ A: object({ 'a, b': { type: 'string' } }) })
    expect(models).toContain('AB *string `json:",omitzero" wire:"a, b"`')
  })

  it('writes an alias that contains itself as a type', async () => {
    const models = await modelsOf({ Tree: { type: 'array', items: ref('Tree') } })
    expect(models).toContain('type Tree []Tree')
  })
})

describe('methods', () => {
  it('can leave out a body that is optional', async () => {
    const list = { type: 'array', items: { type: 'string' } }
    const { services } = await filesOf({
      '/lists': { post: { operationId: 'createList', ...body('application/json', list) } },
      '/texts': { post: { operationId: 'createText', ...body('text/plain', { type: 'string' }) } },
      '/anys': { post: { operationId: 'createAny', ...body('application/json', {}) } },
    })
    expect(services).toContain('body *[]string,')
    expect(services).toContain('body string,')
    expect(services).toContain('body any,')
  })

  it('send JSON under the media type that the document names', async () => {
    const patch = body('application/merge-patch+json', object({}))
    const { contract } = await filesOf({ '/a': { patch: { operationId: 'updateA', ...patch } } })
    expect(contract).toContain('return "application/merge-patch+json", content, err')
  })

  it('return the type of the status where successes differ', async () => {
    const response = (type: string) => ({
      description: '',
      content: { 'application/json': { schema: { type } } },
    })
    const responses = {
      200: response('string'),
      '2XX': response('integer'),
      404: response('string'),
      default: response('integer'),
    }
    const { services, contract } = await filesOf({ '/a': { get: { responses } } })
    expect(services).toContain('// The result is one of string (200) or int64 (2XX).\n')
    expect(services).toContain('(any, error)')
    const table = '200: reflect.TypeFor[string](),\n\t\t\t0:   reflect.TypeFor[int64](),\n\t\t}'
    expect(contract).toContain(table)
  })

  it('send a zero where the parameter is required', async () => {
    const parameters = [
      { name: 'page', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'size', in: 'query', schema: { type: 'integer' } },
    ]
    const responses = { 204: { description: '' } }
    const { models } = await filesOf({ '/a': { get: { parameters, responses } } })
    expect(models).toMatch(/\/\/ Required\.\n\tPage int64 `query:"page" required:"true"`\n/)
    expect(models).toMatch(/Size int64 `query:"size"`/)
  })

  it('start their comment with their name', async () => {
    const operation = (description: string) => ({
      description,
      responses: { 204: { description: '' } },
    })
    const { services } = await filesOf({
      '/as': { get: { operationId: 'getA', ...operation('Reads an A.') } },
      '/bs': { get: { operationId: 'getB', ...operation('This reads a B.') } },
      '/cs': { get: { operationId: 'getC', ...operation('') } },
    })
    expect(services).toContain('// Get reads an A.\n//\n// GET /as\n')
    expect(services).toContain('// Get: This reads a B.\n//\n// GET /bs\n')
    expect(services).toContain('// Get sends GET /cs.\n')
  })
})

it('gives the runtime the name and the module of another platform', () => {
  const platform = { ...own.platform, goPackage: 'other', goModule: 'example.com/other' }
  const files = packageFiles({ ...own, platform }, readRuntime(go))
  const text = new Map(files.map(({ path, content }) => [path, content]))

  expect([...text.keys()]).toEqual(expect.arrayContaining(['call.go', 'LICENSE']))
  expect(text.get('go.mod')).toBe('module example.com/other\n\ngo 1.24\n')
  const sources = files.filter(({ path }) => path.endsWith('.go'))
  const header = /^\/\/ Code generated .* DO NOT EDIT\.$[\s\S]*^package other(?:test)?$/m
  expect(sources.filter(({ content }) => !header.test(content))).toEqual([])
  const [, ...kitLines] = text.get('othertest/othertest.go')?.split('\n') ?? []
  const kit = kitLines.join('\n')
  expect(kit).toContain('// Package othertest ')
  expect(kit).toContain('\tother "example.com/other"\n')
  expect(kit).not.toContain('supportchat')
})

/** The emitted files, by path. */
function emitted(api: Api): Map<string, string> {
  return new Map(emit(api, SOURCES).map(({ path, content }) => [path, content]))
}

/** The types of a document with these schemas. */
async function modelsOf(schemas: Record<string, object>): Promise<string> {
  const file = write(JSON.stringify(documentWith(schemas)), 'openapi.json')
  return emitted(await modelOf(file)).get('models.gen.go') ?? ''
}

/** What becomes of a document with these paths. */
async function filesOf(paths: object) {
  const files = emitted(await modelOf(write(documentOf(paths), 'openapi.json')))
  const text = (name: string) => files.get(`${name}.gen.go`) ?? ''
  return { services: text('services'), contract: text('contract'), models: text('models') }
}

function documentOf(paths: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths })
}

/** A document whose operations return each of the schemas. */
function documentWith(schemas: Record<string, object>): object {
  const paths = Object.keys(schemas).map((name) => {
    const content = { 'application/json': { schema: ref(name) } }
    const get = { operationId: `get${name}`, responses: { 200: { description: '', content } } }
    return [`/${name.toLowerCase()}s`, { get }]
  })
  return {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  }
}

function object(properties: object, required: string[] = []): object {
  return { type: 'object', properties, required }
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

/** An operation that is sent a body. */
function body(contentType: string, schema: object): object {
  return {
    requestBody: { content: { [contentType]: { schema } } },
    responses: { 204: { description: '' } },
  }
}
