/** Requests as code: programs that run with the SDKs of this repository, and send the same request again. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/repository.ts'
import { programs as go } from '../../scripts/toolchain/languages/go.ts'
import { tool } from '../../scripts/toolchain/languages/python.ts'
import { programs as ruby } from '../../scripts/toolchain/languages/ruby.ts'
import { createMockServer, type MockServer } from '../src/index.ts'
import type { LoggedRequest } from '../src/requests/shown.ts'
import { SEEDED } from './sandboxed.ts'
import { AUTH } from './support.ts'

const execute = promisify(execFile)

const LANGUAGES = ['typescript', 'python', 'ruby', 'go'] as const
type Language = (typeof LANGUAGES)[number]

/** What a request says that is hard to write as a literal. */
const TEXT = 'It\'s "here" #{x} \x24{y} %s \\ \n\u2028 ☃ 🧭 $HOME `ls` */ -->'

interface Case {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** Whether a method of the SDKs sends it. */
  isKnown: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const CONVERSATION = `/v1/conversations/${SEEDED.open}`
const create = (path: string, body: object, headers = {}): Case => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
  isKnown: true,
})

const CASES: Record<string, Case> = {
  list: { path: '/v1/conversations', isKnown: true },
  filter: { path: '/v1/conversations?status=open&limit=2', isKnown: true },
  get: { path: CONVERSATION, headers: { 'x-mock-fault': 'delay=10ms' }, isKnown: true },
  analytics: { path: '/v1/analytics', isKnown: true },
  message: create(`${CONVERSATION}/messages`, { text: TEXT }, { 'idempotency-key': 'k-"1"' }),
  source: create('/v1/knowledge/sources', { type: 'url', url: 'https://example.com/a?b=c' }),
  text: create('/v1/knowledge/sources', { type: 'text', title: 'Sizes', text: TEXT }),
  // A method cannot send these.
  invalid: { ...create(`${CONVERSATION}/messages`, { words: TEXT, n: [1, null] }), isKnown: false },
  malformed: { ...create(`${CONVERSATION}/messages`, {}), body: '{"text":', isKnown: false },
  unknown: { method: 'DELETE', path: '/v1/nothing?a=%20b&a=c', isKnown: false },
  filtered: { path: '/v1/conversations?state=open', isKnown: false },
  binary: {
    ...create(`${CONVERSATION}/messages`, {}, {}),
    body: Uint8Array.of(0, 255, 128, 10),
    isKnown: false,
  },
}

let mock: MockServer
const folder = mkdtempSync(join(tmpdir(), 'code-'))
/** The requests by case, and their code by language and case. */
const sent = new Map<string, LoggedRequest>()
const code = new Map<Language, Map<string, string>>()

beforeAll(async () => {
  mock = await createMockServer()
  for (const [name, { method = 'GET', path, headers, body }] of Object.entries(CASES)) {
    const id = `req_${name}`
    await mock.fetch(path, {
      method,
      headers: { ...AUTH, ...headers, 'x-request-id': id },
      ...(body !== undefined && { body }),
    })
    sent.set(name, await logged(id))
  }
  for (const language of LANGUAGES) {
    const texts = Object.keys(CASES).map(
      async (name) => [name, await codeOf(name, language)] as const,
    )
    code.set(language, new Map(await Promise.all(texts)))
  }
})
afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

async function logged(id: string): Promise<LoggedRequest> {
  const response = await mock.fetch(`/_mock/requests/${id}`, { headers: AUTH })
  return (await response.json()) as LoggedRequest
}

async function codeOf(name: string, language: string): Promise<string> {
  const response = await mock.fetch(`/_mock/requests/req_${name}?as=${language}`, { headers: AUTH })
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  return response.text()
}

/** Writes the programs of a language, each into its own folder or file. */
function write(language: Language, fileOf: (name: string) => string): Map<string, string> {
  return new Map(
    [...(code.get(language) ?? [])].map(([name, text]) => {
      const file = join(folder, language, fileOf(name))
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, text)
      return [name, file]
    }),
  )
}

/** How to check the programs of a language, and how to run one. */
const TOOLCHAINS: Record<Language, () => Promise<(name: string) => [string, string[]]>> = {
  async typescript() {
    const files = write('typescript', (name) => `${name}.mts`)
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'typescript/node_modules'), 'dir')
    const options = {
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      skipLibCheck: true,
    }
    const wrong = ts.getPreEmitDiagnostics(ts.createProgram([...files.values()], options))
    expect(
      wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    ).toEqual([])
    return (name) => [process.execPath, [files.get(name) ?? '']]
  },
  async python() {
    const files = write('python', (name) => `${name}.py`)
    return (name) => [tool('python'), ['-W', 'error', files.get(name) ?? '']]
  },
  async ruby() {
    const files = write('ruby', (name) => `${name}.rb`)
    return (name) => [ruby.ruby, ['-w', '-I', join(ROOT, 'sdks/ruby/lib'), files.get(name) ?? '']]
  },
  async go() {
    const files = write('go', (name) => `${name}/main.go`)
    const cwd = join(folder, 'go')
    const module = 'github.com/support-chat/support-chat/sdks/go'
    writeFileSync(
      join(cwd, 'go.mod'),
      `module code\n\ngo 1.24\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ${join(ROOT, 'sdks/go')}\n`,
    )
    await execute(go.go, ['vet', './...'], { cwd })
    await execute(go.go, ['build', '-o', 'bin/', './...'], { cwd })
    const { stdout } = await execute(go.gofmt, ['-l', ...files.values()])
    expect(stdout).toBe('')
    return (name) => [join(cwd, 'bin', name), []]
  },
}

/** What a request is on the wire, apart from what belongs to the client that sends it. */
function wireOf({ method, path, query, headers, body, body_encoding }: LoggedRequest) {
  const { 'idempotency-key': key, 'x-mock-fault': fault, authorization } = headers
  const parsed = isJson(body) ? JSON.parse(body) : body
  const pairs = [...new URLSearchParams(query)].sort()
  return { method, path, pairs, parsed, body_encoding, key, fault, authorization }
}

function isJson(text: string | null): text is string {
  try {
    return text !== null && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

describe.each(LANGUAGES)('the code in %s', (language) => {
  it('compiles, and sends the same requests again', async () => {
    const commandOf = await TOOLCHAINS[language]()
    const { SUPPORT_CHAT_BASE_URL: _, ...inherited } = process.env
    const env = {
      ...inherited,
      SUPPORT_CHAT_API_KEY: 'sk_test_demo',
      PYTHONPATH: join(ROOT, 'sdks/python/src'),
    }
    for (const name of Object.keys(CASES)) {
      const before = await newest()
      const [command, args] = commandOf(name)
      await execute(command, args, { env, cwd: folder })
      const made = await newest()
      expect(made.id, name).not.toBe(before.id)
      const { key, ...wire } = wireOf(made)
      const { key: own, ...expected } = wireOf(sent.get(name) as LoggedRequest)
      expect(wire, name).toEqual(expected)
      // An SDK sends a key of its own where the request had none.
      if (own !== undefined) expect(key).toBe(own)
    }
  })

  it('calls the SDK where a method sends the request, and has no key', () => {
    for (const [name, { isKnown }] of Object.entries(CASES)) {
      const text = code.get(language)?.get(name) ?? ''
      expect(/(?<!http\.)\bclient\./.test(text), name).toBe(isKnown)
      expect(text).toContain('SUPPORT_CHAT_API_KEY')
      expect(text).not.toContain('sk_test')
    }
  })
})

async function newest(): Promise<LoggedRequest> {
  const response = await mock.fetch('/_mock/requests?limit=1', { headers: AUTH })
  const { data } = (await response.json()) as { data: [LoggedRequest] }
  return data[0]
}

it('sends no key where the request had none', async () => {
  await fetch(`${mock.url}/v1/analytics`, { headers: { 'x-request-id': 'req_keyless' } })
  for (const language of ['curl', ...LANGUAGES]) {
    expect(await codeOf('keyless', language)).not.toMatch(/authorization|API_KEY/)
  }
})

it('is refused in other languages, and for a request that is not known completely', async () => {
  const statusOf = async (target: string) =>
    (await mock.fetch(`/_mock/requests/${target}`, { headers: AUTH })).status
  expect(await statusOf('req_list?as=cobol')).toBe(422)
  expect(await statusOf('req_none?as=go')).toBe(404)
  const sent = { method: 'POST', body: '{"text":"Hi."}', headers: { 'x-request-id': 'req_cut' } }
  await fetch(`${mock.url}${CONVERSATION}/messages`, sent)
  expect(await statusOf('req_cut?as=go')).toBe(409)
})
