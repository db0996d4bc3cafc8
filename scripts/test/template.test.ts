import { describe, expect, it } from 'vitest'
import { fill } from '../emit/core/template.ts'
import { LANGUAGES, loadGenerators } from '../languages.ts'
import { ROOT, readTemplates } from '../repository.ts'
import { modelOf } from './support.ts'

describe('a template', () => {
  it.each([
    ['a value', '{{a}}, {{b.c}}\n', 'x, y\n'],
    ['what stands under a condition', '{{#a}}1{{/a}}{{#no}}2{{/no}}{{^no}}3{{/no}}\n', '13\n'],
    ['conditions in conditions', '{{#a}}1{{#no}}2{{/no}}{{^no}}3{{/no}}4{{/a}}\n', '134\n'],
    ['no line for a mark', '1\n{{#a}}\n2\n{{/a}}\n{{#no}}\n3\n{{/no}}\n4\n', '1\n2\n4\n'],
    [
      'further lines indented like the first',
      'if x:\n    {{lines}}\n',
      'if x:\n    f(\n      1\n    )\n',
    ],
    ['a value that looks like a slot as it is', '{{braces}}\n', '{{a}}\n'],
  ])('has %s', (_what, template, expected) => {
    const slots = { a: 'x', 'b.c': 'y', no: null, lines: 'f(\n  1\n)', braces: '{{a}}' }
    expect(fill(template, slots)).toBe(expected)
  })

  it.each([
    ['is unknown', '{{b}}', 'unknown slot: b'],
    ['is unknown in a condition', '{{#b}}{{/b}}', 'unknown slot: b'],
    ['has no value', '{{no}}', 'no has no value'],
  ])('fails where a slot %s', (_what, template, message) => {
    expect(() => fill(template, { a: 'x', no: null })).toThrow(message)
  })
})

// Calls come with all that can be said of them.
const OF_CALLS = /^(?:start|read|create|variant|failing|all|page)(?:\.(?:call|noun|print))?$/

it('every slot that a language fills is in its templates, or is one that all languages fill', async () => {
  const api = await modelOf(`${ROOT}/openapi.yaml`)
  const generators = await loadGenerators()
  const filled = LANGUAGES.map((language) => {
    const slots = Object.keys(generators.get(language)?.readmeSlots(api) ?? {})
    const templates = readTemplates(language)
    return { slots, text: Object.values(templates).join('') }
  })
  const shared = (slot: string) => filled.every(({ slots }) => slots.includes(slot))
  const everything = filled.map(({ text }) => text).join('')
  for (const { slots, text } of filled) {
    const unused = slots.filter((slot) => {
      if (OF_CALLS.test(slot)) return false
      const where = shared(slot) ? everything : text
      return !new RegExp(`\\{\\{[#^/]?${slot.replace('.', '\\.')}\\}\\}`).test(where)
    })
    expect(unused).toEqual([])
  }
})
