import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { docString } from '../emit/python/doc.ts'
import { formatPython } from '../emit/python/format.ts'
import { emitPython } from '../emit/python/index.ts'
import { quote } from '../emit/python/literal.ts'
import { argument, attribute } from '../emit/python/naming.ts'
import { ROOT } from '../repository.ts'
import { filesOf, modelOf } from './support.ts'

const SOURCES = {
  contract: 'openapi.yaml',
  names: 'sdks/names.yaml',
  behavior: 'sdks/behavior.yaml',
}

const SDK = join(ROOT, 'sdks/python')
const GENERATED = /^src\/\w+\/(?:__init__\.py|_generated\/.*\.py)$/

describe('the Python SDK', () => {
  let emitted: Map<string, string>

  beforeAll(async () => {
    const api = await modelOf(join(ROOT, 'openapi.yaml'))
    const files = formatPython(emitPython(api, SOURCES))
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
  '""\0"',
  'a\nb\r\nc',
  '\u2028',
  '\ud800',
]

describe('text of a contract', () => {
  it.each(HOSTILE)('stays inside its string literal: %j', (text) => {
    const literal = quote(text)
    expect(literal).toMatch(/^"(?:[^"\\\n\r\u2028]|\\["\\nrt]|\\u[\da-f]{4})*"$/)
  })

  it.each(HOSTILE)('stays inside its docstring: %j', (text) => {
    const doc = docString(`Says ${text}`, 100) ?? ''
    expect(doc).toMatch(/^"""(?:[^"\\]|\\["\\]|"(?!""))*"""$/)
  })
})

describe('names', () => {
  it.each([
    [['class'], 'class_'],
    [['timeout'], 'timeout_'],
    [['seat', 'ID'], 'seat_id'],
    [['2', 'fa'], 'n2_fa'],
  ])('calls an argument of the words %j %s', (name, expected) => {
    expect(argument(name)).toBe(expected)
  })

  it('keeps a field apart from what every model has', () => {
    expect(attribute(['to', 'dict'])).toBe('to_dict_')
  })
})
