// The reference of the SDKs reads alike in all languages, and none of its links is dead.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../changes/types.ts'
import { ROOT } from '../repository.ts'
import { REFERENCE } from '../surface/index.ts'
import type { Item } from '../surface/reference/item.ts'
import { pagesOf } from '../surface/reference/pages.ts'
import { wrapped } from '../surface/reference/signature.ts'
import { PAGES } from '../surface/reference/topics.ts'

const pages = new Map(
  globSync('**/*.md', { cwd: join(ROOT, REFERENCE) }).map((path) => {
    return [path, readFileSync(join(ROOT, REFERENCE, path), 'utf8')] as const
  }),
)

describe('the reference', () => {
  it.each(LANGUAGES)('has every topic in %s', (language) => {
    const found = [...pages.keys()].filter((path) => dirname(path) === language)
    expect(found.map((path) => basename(path, '.md')).sort()).toEqual(
      PAGES.map(({ id }) => id).sort(),
    )
  })

  it.each([...pages.keys()])('%s has no rest of a comment', (path) => {
    expect(pages.get(path)).not.toMatch(
      /^ *(?:\*?\/|@(?:api|example|param|raise|return|throws)\b.*)$/m,
    )
  })

  it.each([...pages.keys()])('%s has headings of its own, and no dead link', (path) => {
    const text = pages.get(path) ?? ''
    const headings = headingsOf(text)
    expect(headings.filter((heading, index) => headings.indexOf(heading) < index)).toEqual([])
    const dead = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) =>
      isThere(path, target) ? [] : [target],
    )
    expect(dead).toEqual([])
  })
})

function headingsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
}

function isThere(path: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  if (/^https?:/.test(target)) return true
  const to = file === '' ? path : join(dirname(path), file)
  const text = pages.get(to) ?? readFileSync(join(ROOT, REFERENCE, to), 'utf8')
  if (anchor === undefined) return true
  // As GitHub makes them.
  const times = new Map<string, number>()
  return headingsOf(text).some((heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const time = times.get(slug) ?? 0
    times.set(slug, time + 1)
    return anchor === (time === 0 ? slug : `${slug}-${time}`)
  })
}

/** A class with a method and a field, as each language's tool reads it. */
const ITEMS: Readonly<Record<Language, Pick<Item, 'code' | 'doc'> & { method: Method }>> = {
  typescript: {
    code: 'class Box',
    doc: '/**\n * Holds a {@link Thing}.\n *\n * Assumption: None was published.\n */',
    method: {
      code: 'get(id: string): Thing',
      doc: '/**\n * Gets it.\n *\n * @param id - Its name.\n *\n * @returns the thing\n *\n * @throws MissingError without one\n *\n * @example\n *\n * box.get()\n */',
    },
  },
  python: {
    code: 'class Box',
    doc: 'Holds a `Thing`.\n\nAssumption: None was published.',
    method: {
      code: 'def get(self, id: str) -> Thing',
      doc: 'Gets it.\n\nArgs:\n    id: Its\n        name.\n\nReturns:\n    the thing\n\nRaises:\n    MissingError: without one\n\nExample:\n    box.get()',
    },
  },
  ruby: {
    code: 'class Box',
    doc: 'Holds a {Thing}.\n\nAssumption: None was published.',
    method: {
      code: 'def get: (String id) -> Thing',
      doc: 'Gets it.\n@param id [String] its name\n@return [Thing] the thing\n@raise [MissingError] without one\n@example\n  box.get()',
    },
  },
  go: {
    code: 'type Box struct',
    doc: 'Holds a `Thing`.\n\nAssumption: None was published.',
    method: { code: 'func (*Box) Get(id string) Thing', doc: 'Gets it.' },
  },
}

interface Method {
  code: string
  doc: string
}

describe.each(LANGUAGES)('a comment in %s', async (language) => {
  const { style } = await import(`../surface/tools/${language}.ts`)
  const { code, doc, method } = ITEMS[language]
  const base = { from: 'acme', file: 'src/client', kind: 'class' as const, members: [] }
  const page = pagesOf(style, [
    { ...base, name: 'Thing', code: 'class Thing', doc: 'A thing.' },
    { ...base, name: 'MissingError', file: 'src/errors', code: 'class MissingError', doc: '' },
    {
      ...{ ...base, name: 'Box', code, doc },
      members: [
        { name: 'get', mark: '.', kind: 'method', ...method },
        { name: 'size', mark: '.', kind: 'field', code: 'Thing | null', doc: '' },
      ],
    },
  ]).get('client')

  it('becomes prose, tables and links', () => {
    expect(page).toContain(`## \`Box\`\n\n\`\`\``)
    expect(page).toContain('Holds a [`Thing`](#thing).')
    expect(page).toContain('*Assumption:* None was published.')
    expect(page).toContain('| `size` | [Thing](#thing) \\| null |  |')
    expect(page).toContain('### `Box.get`')
    expect(page).toContain('Gets it.')
  })

  it.skipIf(language === 'go')('says what a method takes, returns and raises', () => {
    expect(page).toContain('| `id` | Its name. |')
    expect(page).toContain('Returns: The thing.')
    expect(page).toContain('| [`MissingError`](errors.md#missingerror) | Without one. |')
    expect(page).toMatch(/Example:\n\n```\w+\nbox\.get\(\)\n```/)
  })
})

it('shows code in a comment as code, without links', async () => {
  const { style } = await import('../surface/tools/python.ts')
  const doc = 'Holds it.\n\n    thing = `Thing`()\n\n    use(thing)\n\n- one\n\n    of a list'
  const thing = { name: 'Thing', from: 'acme', file: 'client', kind: 'class', code: '' } as const
  const page = pagesOf(style, [{ ...thing, doc, members: [] }]).get('client')
  expect(page).toContain(
    '\n\n```python\nthing = `Thing`()\n\nuse(thing)\n```\n\n- one\n\n    of a list\n',
  )
})

it('shows a long type beneath the table, and cuts one that nobody would read', async () => {
  const { style } = await import('../surface/tools/typescript.ts')
  const field = (name: string, length: number) => ({
    ...({ name, mark: '.', kind: 'field', doc: '' } as const),
    code: `{ ${'a: b; '.repeat(length / 6)}}`,
  })
  const members = [field('short', 60), field('long', 240), field('endless', 1200)]
  const box = {
    name: 'Box',
    from: 'acme',
    file: 'client',
    kind: 'type',
    code: '',
    doc: '',
  } as const
  const page = pagesOf(style, [{ ...box, members }]).get('client')
  expect(page).toContain('| `short` | { a: b; ')
  expect(page).toContain('| `long` | As below. |')
  expect(page).toContain('| `endless` | { … } |')
  expect(page).toContain('```ts\nlong: { a: b; ')
})

it('breaks a long declaration at its parameters', () => {
  const parameters = ['first: Map<string, number>', 'second: (a: string, b: string) => void']
  const more = 'third: { c: string }'
  expect(wrapped(`call<Name>(${[...parameters, more].join(', ')}): Promise<Name>`)).toBe(
    `call<Name>(\n${[...parameters, more].map((one) => `  ${one}`).join(',\n')}\n): Promise<Name>`,
  )
  expect(wrapped('call(a: string): void')).toBe('call(a: string): void')
})
