import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nameClashes } from '../emit/ruby/clashes.ts'
import { RubyWriter } from '../emit/ruby/file.ts'
import { emitRuby } from '../emit/ruby/index.ts'
import { quote } from '../emit/ruby/literal.ts'
import { enumConstants, member, variable } from '../emit/ruby/naming.ts'
import { ROOT } from '../repository.ts'
import { filesOf, modelOf, write } from './support.ts'

const SDK = join(ROOT, 'sdks/ruby')
const SOURCES = {
  contract: 'openapi.yaml',
  names: 'sdks/names.yaml',
  behavior: 'sdks/behavior.yaml',
}

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
  const emitted = new Map(emitRuby(api, SOURCES).map(({ path, content }) => [path, content]))
  const paths = [...filesOf(SDK, /^(?:lib\/support_chat|sig)\/generated\//).keys()]
  expect([...emitted.keys()].sort()).toEqual([...paths, 'lib/support_chat.rb'].sort())
  for (const [path, content] of emitted) {
    expect(content, path).toBe(readFileSync(join(SDK, path), 'utf8'))
  }
})

describe('text of a contract', () => {
  it('stays inside its string literal', () => {
    const literals = HOSTILE.map(quote)
    expect(literals.join('')).not.toMatch(/[\n\r\u2028\u2029]/)
    for (const literal of literals) expect(literal).toMatch(/^"(?:[^"\\#]|\\.|#(?![{$@]))*"$/)
  })

  it('stays inside its comment', () => {
    const file = new RubyWriter()
    for (const text of HOSTILE) file.doc(text, `@api ${text}`).tags([`@param ${text}`])
    for (const line of file.toString().trimEnd().split('\n')) expect(line).toMatch(/^#/)
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
    [['2', 'fa'], '_2_fa', '_2_fa'],
    [[], '_', '_'],
    [['end'], 'end', 'end_'],
    [['class'], 'class_', 'class_'],
    [['request', 'options'], 'request_options_', 'request_options_'],
  ])('calls a reader of the words %j %s and a parameter %s', (name, reader, parameter) => {
    expect(member(name)).toBe(reader)
    expect(variable(name)).toBe(parameter)
  })

  it('gives a value of an enum a constant, unless two would share one or one has none', () => {
    expect(enumConstants(['in-transit', '2fa', 7])).toEqual(['IN_TRANSIT', 'V2FA', 'V7'])
    expect(enumConstants(['a-b', 'a_b'])).toBeNull()
    expect(enumConstants(['a', '*'])).toBeNull()
  })

  it('are refused where Ruby cannot have them', async () => {
    const paths = { '/request': { get: { responses: { 204: { description: 'Done.' } } } } }
    const properties = { '+1': { type: 'integer' }, '-1': { type: 'integer' } }
    const schema = { $ref: '#/components/schemas/Hash' }
    const content = { 'application/json': { schema } }
    const document = {
      openapi: '3.1.0',
      info: { title: 'Clashes', version: '1' },
      paths: {
        ...paths,
        '/hashes': { get: { responses: { 200: { description: 'All.', content } } } },
      },
      components: { schemas: { Hash: { type: 'object', properties } } },
    }
    const api = await modelOf(write(JSON.stringify(document), 'openapi.json'))
    expect(nameClashes(api).map(({ message }) => message)).toEqual([
      'the Ruby SDK has a constant Hash of its own',
      'the Ruby SDK calls -1 of Hash _1, like +1',
      expect.stringMatching(/^the Ruby SDK cannot have request\./),
    ])
  })
})
