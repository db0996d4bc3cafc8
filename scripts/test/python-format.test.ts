import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'
import { expect, it } from 'vitest'
import { formatPython } from '../emit/python/format.ts'

const ruff = new Workspace(
  { 'line-length': 100, 'target-version': 'py310' },
  PositionEncoding.Utf16,
)
const whole = (content: string) => formatPython([{ path: 'thing.py', content }])[0]?.content

const HEAD = '"""Things."""\n\nfrom __future__ import annotations\n\nimport typing\n'
const declarations = (index: number) =>
  [
    `class Thing${index}(typing.TypedDict):\n  """One of many."""\n  a : int`,
    `@typing.final\nclass Last${index}:\n  name = 'last'`,
    `Alias${index} = typing.Union[ Thing${index}, None ]`,
    `# A function.\ndef make${index}( ) -> int :\n  return ${index}`,
  ].join('\n\n\n')

it('a module that is formatted in parts is as one that is formatted at once', () => {
  const many = Array.from({ length: 2000 }, (_, index) => declarations(index)).join('\n\n\n')
  const content = `${HEAD}\n\n${many}\n`
  expect(content.length).toBeGreaterThan(300_000)
  expect(whole(content)).toBe(ruff.format(content))
})

it('a part never ends within a string that looks like a declaration', () => {
  const text = `"""${'\n\n\nclass   Thing: pass'.repeat(20_000)}"""`
  const content = `${HEAD}\n\ntext = ${text}\n\n\ndef   function(): return text\n`
  expect(whole(content)).toBe(ruff.format(content))
  expect(whole(content)).toContain(text)
})

it('a module that is not valid is named, with its text', () => {
  expect(() => whole(`${HEAD}def function(`)).toThrow(/^thing\.py is not valid:\n"""Things/)
})
