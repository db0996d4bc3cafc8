import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TAKEN_CONSTANTS } from '../emit/ruby/clashes.ts'
import { RubyWriter } from '../emit/ruby/file.ts'
import { emit, nameClashes, packageFiles } from '../emit/ruby/index.ts'
import { ruby } from '../emit/ruby/language.ts'
import { heredoc, quote } from '../emit/ruby/literal.ts'
import { enumConstants, member, OBJECT_METHODS, snake, variable } from '../emit/ruby/naming.ts'
import type { Api } from '../model/types.ts'
import { pascal, words } from '../model/words.ts'
import { ROOT, readRuntime } from '../repository.ts'
import { programs } from '../toolchain/languages/ruby.ts'
import { CASES, filesOf, modelOf, SOURCES, temporaryFolder, write } from './support.ts'

const SDK = join(ROOT, 'sdks/ruby')

const RUNTIME = readRuntime(ruby)
const RUNS = join(import.meta.dirname, 'runs/ruby')

const OF_WEBHOOKS = /webhooks|testing|samples|signature|events\./

const HOSTILE = [
  '"; exit! #',
  '\\',
  '\\"',
  '#{exit!}',
  '\\#{exit!}',
  '#$0 #@a ##{1}',
  'a\nb\r\nc\t',
  '\u2028\u2029',
  '\0\x1b[31m\x7f',
  '=begin',
  '__END__',
  'grün 🎈',
]

it('emits the generated files of the Ruby SDK byte by byte', async () => {
  const api = await modelOf(join(ROOT, 'openapi.yaml'))
  const emitted = new Map(emit(api, SOURCES).map(({ path, content }) => [path, content]))
  const paths = [...filesOf(SDK, /^(?:lib\/support_chat|sig)\/generated\//).keys()]
  expect([...emitted.keys()].sort()).toEqual([...paths, 'lib/support_chat.rb'].sort())
  for (const [path, content] of emitted) {
    expect(content, path).toBe(readFileSync(join(SDK, path), 'utf8'))
  }
})

describe('text of a contract', () => {
  it('survives a Ruby literal unchanged', () => {
    expect(evaluate(`[${HOSTILE.map(quote).join(', ')}]`)).toEqual(HOSTILE)
  })

  it('survives a Ruby heredoc unchanged', () => {
    for (const lines of [HOSTILE, ['#', 'plain', 'grün']]) {
      const json = JSON.stringify([...lines, 'TEXT', '\n  TEXT'], null, 2)
      const file = new RubyWriter()
      file.block('begin', () => file.lines(heredoc('A', 'TEXT', json)), 'end')
      expect(evaluate(`${file}JSON.parse(A)`)).toEqual(JSON.parse(json))
    }
  })

  it('has U+FFFD in place of half a character, which no UTF-8 has', () => {
    expect(evaluate(quote('a\ud83cb'))).toBe('a\ufffdb')
  })

  it('stays inside its comment', () => {
    const file = new RubyWriter()
    for (const text of HOSTILE) file.doc(text, `@api ${text}`).tags([`@param ${text}`])
    expect(evaluate(`${file}\n"untouched"`)).toBe('untouched')
  })

  it('is neither a tag, nor a directive, nor a magic comment', () => {
    const file = new RubyWriter()
    file.doc('@private', 'rubocop:disable all', 'shareable_constant_value: literal', '-*- a: b -*-')
    expect(
      file
        .toString()
        .split('\n')
        .filter((line) => line.length > 1),
    ).toEqual([
      '# \\@private',
      '# rubocop\\:disable all',
      '# \\shareable_constant_value: literal',
      '# -\\*- a: b -\\*-',
    ])
  })
})

describe('names', () => {
  it.each([
    [['URL', 'source'], 'url_source', 'url_source'],
    [['2', 'fa'], 'n2_fa', 'n2_fa'],
    [[], 'n', 'n'],
    [['größe'], 'grosse', 'grosse'],
    [['名'], 'u540d', 'u540d'],
    [['end'], 'end', 'end_'],
    [['class'], 'class_', 'class_'],
    [['request', 'options'], 'request_options_', 'request_options_'],
  ])('calls a reader of the words %j %s and a parameter %s', (name, reader, parameter) => {
    expect(member(name)).toBe(reader)
    expect(variable(name)).toBe(parameter)
  })

  it('gives a value of an enum a constant, unless it has no name or that of another', () => {
    const values = ['in-transit', '2fa', 7, 'end', 'naïve', '*', 'a-b', 'a_b']
    const constants = ['IN_TRANSIT', 'V2FA', 'V7', 'END_', 'NAIVE', null, null, null]
    expect(enumConstants(values)).toEqual(constants)
  })

  it('keep clear of the methods that every object or every model has', () => {
    const methods = evaluate(
      `Object.public_instance_methods | SupportChat::Core::Model.instance_methods |
       SupportChat::Core::Model.private_instance_methods(false)`,
    ) as string[]
    const named = methods.filter((name) => /^[a-z]\w*$/.test(name))
    expect(named).toContain('hash')
    expect(named.filter((name) => !OBJECT_METHODS.has(name))).toEqual([])
  })

  it('keep clear of the constants of the runtime', async () => {
    const { policy } = await modelOf(join(ROOT, 'openapi.yaml'))
    const library = writeGem(await apiOf({ schemas: {} }))
    const constants = evaluate('SupportChat.constants', library) as string[]
    const own = ['Error', 'ThingsResource', ...policy.errors.classes.map(({ name }) => name)]
    const others = constants.filter((name) => !own.includes(name))
    expect(others.length).toBeGreaterThan(8)
    expect(others.filter((name) => !TAKEN_CONSTANTS.has(name))).toEqual([])
  })

  it('of schemas may be those of constants of Ruby', async () => {
    const constants = evaluate('Object.constants') as string[]
    const schema = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }
    const names = ['Error', ...constants.filter((name) => /^[A-Za-z]+$/.test(name))]
    expect(names).toContain('Time')
    const api = await apiOf({ schemas: Object.fromEntries(names.map((name) => [name, schema])) })
    expect(nameClashes(api)).toEqual([])
    const script = `
      SupportChat.constants.each { |name| SupportChat.const_get(name) }
      hash = SupportChat::Hash.load({ "at" => "2026-03-02T09:14:07Z" })
      begin
        SupportChat::Client.new(base_url: "http://127.0.0.1:1", max_retries: 0, log_level: :off)
                           .things.get
      rescue SupportChat::APIConnectionError => e
        [hash.at.year, hash.with(at: Time.at(0).utc).to_json, e.outcome]
      end`
    const seen = [2026, '{"at":"1970-01-01T00:00:00Z"}', 'not_sent']
    expect(evaluate(script, writeGem(api))).toEqual(seen)
  })

  it('are refused where Ruby cannot have them', async () => {
    const properties = { fileName: { type: 'string' }, file_name: { type: 'string' } }
    const schema = { type: 'object', properties }
    const api = await apiOf({
      schemas: {
        Client: schema,
        Hat: { type: 'object', properties: { größe: schema } },
        HatGrosse: { type: 'string', enum: ['a', 'b'] },
      },
      methods: ['request.get', 'things.withResponse', 'a.bC.get', 'aB.c.get', 'd.e', 'd.e.get'],
    })
    expect(nameClashes(api).map(({ message }) => message)).toEqual([
      'the Ruby SDK already has a constant Client',
      'the Ruby SDK already has a constant HatGrosse',
      'the Ruby SDK calls file_name of Client file_name, like fileName',
      'the Ruby SDK calls file_name of HatGrosse file_name, like fileName',
      'the Ruby SDK already has a method request',
      'the Ruby SDK already has a method d.e',
      'the Ruby SDK already has a method things.with_response',
      'the Ruby SDK already has a constant ABCResource',
    ])
  })
})

it('writes gems that send and read as the cases describe', async () => {
  const names = [...filesOf(CASES, /^(?!negative)[^/]+\/openapi\.yaml$/).keys()].map(dirname)
  const libraries: string[] = []
  for (const name of names) {
    const api = await modelOf(join(CASES, name, 'openapi.yaml'))
    const own = { gem: snake(words(name)), rubyModule: pascal(words(name)) }
    libraries.push(writeGem({ ...api, platform: { ...api.platform, ...own } }))
  }
  const paths = libraries.flatMap((library) => ['-I', library])
  const tests = ['calls', 'unions', 'values', 'webhooks'].map((name) =>
    join(RUNS, `${name}_test.rb`),
  )
  const args = ['-w', ...paths, ...['-e', 'ARGV.each { |file| require file }'], ...tests]
  const { status, stdout, stderr } = spawnSync(programs.ruby, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status, stdout).toBe(0)
  expect(stdout).toMatch(/^\d\d runs/m)
}, 60_000)

describe('webhooks', () => {
  const described = () => modelOf(join(CASES, 'webhooks/openapi.yaml'))

  it('are verified as the contract says', async () => {
    const script = `
      body = JSON.generate(event: "order.paid", id: "e", occurred_at: "2026-03-02T09:14:07Z",
                           data: { amount: 2**60 })
      signature = SupportChat::Webhooks.sign(body, "secret")
      hex = signature.delete_prefix("sha256=").unpack1("m0").unpack1("H*")
      webhooks = SupportChat::Webhooks.new("secret")
      [signature.size, SupportChat::Webhooks::EVENT_KINDS,
       webhooks.unwrap(body, { "x-shop-signature" => signature }).data.amount,
       begin
         webhooks.verify(body, { "x-shop-signature" => "sha256=#{hex}" })
       rescue SupportChat::WebhookVerificationError => e
         e.code
       end]`
    const seen = [51, ['order.lost', 'order.paid'], 2 ** 60, 'malformed_signature']
    expect(evaluate(script, writeGem(await described()))).toEqual(seen)
  })

  it('come with fixtures, also of objects that are called like parts of the test kit', async () => {
    const document = readFileSync(join(CASES, 'webhooks/openapi.yaml'), 'utf8')
    const schema = '{ type: object, properties: { at: { type: string, format: date-time } } }'
    const names = ['Class', 'Delivery', 'Fixture', 'Fixtures', 'MockAPI', 'MockServer']
    const properties = names.map((name) => `${name}: { $ref: "#/components/schemas/${name}" }`)
    const api = await modelOf(
      write(`${document}${names.map((name) => `    ${name}: ${schema}\n`).join('')}
paths:
  /things:
    get:
      x-sdk-method: things.get
      responses:
        "200":
          description: The things.
          content:
            application/json:
              schema: { title: Things, type: object, properties: { ${properties.join(', ')} } }
`),
    )
    const script = `
      require "support_chat/testing"
      fixtures = SupportChat::Testing::Fixtures
      at = Time.utc(2026)
      %i[class_object delivery fixture fixtures mock_api mock_server].map do |name|
        made = fixtures.public_send(name, at:)
        made.at == at && made.class.name
      end`
    expect(evaluate(script, writeGem(api))).toEqual(names.map((name) => `SupportChat::${name}`))
  })

  it('are left out where the contract has none, or does not say how they are signed', async () => {
    const api = await described()
    for (const without of [{ webhooks: [] }, { signature: null }]) {
      const gem = { ...api, ...without }
      const files = [...emit(gem, SOURCES), ...packageFiles(gem, RUNTIME)]
      const named = files.filter(({ path }) => OF_WEBHOOKS.test(path))
      expect(named.map(({ path }) => path)).toEqual([])
      expect(evaluate('SupportChat.const_defined?(:Webhooks)', writeGem(gem))).toBe(false)
    }
  })
})

it('is tested in Ruby that RuboCop finds nothing in', () => {
  const args = ['--cache', 'false', 'compile', 'runs/ruby']
  const { stdout, status } = spawnSync(programs.rubocop, args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  expect(status, stdout).toBe(0)
})

/** The model of a document with these schemas, and with an operation for each method. */
function apiOf({ schemas, methods = ['things.get'] }: { schemas: object; methods?: string[] }) {
  const responses = { 204: { description: 'Done.' } }
  const paths = methods.map((method, index) => [
    `/operations/${index}`,
    { get: { 'x-sdk-method': method, responses } },
  ])
  const document = {
    openapi: '3.1.0',
    info: { title: 'Names', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas },
  }
  return modelOf(write(JSON.stringify(document), 'openapi.json'))
}

/** Writes a whole gem to a temporary folder. Returns the folder of its library. */
function writeGem(api: Api): string {
  const folder = temporaryFolder()
  for (const { path, content } of [...emit(api, SOURCES), ...packageFiles(api, RUNTIME)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return join(folder, 'lib')
}

/** What an expression of Ruby is, as JSON; Ruby must have nothing to warn of. */
function evaluate(expression: string, library = join(SDK, 'lib')): unknown {
  const script = `require "support_chat"\nresult = begin\n${expression}\nend\nputs JSON.generate(result)`
  const args = ['-w', '-I', library, '-e', script]
  const { stdout, stderr } = spawnSync(programs.ruby, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}
