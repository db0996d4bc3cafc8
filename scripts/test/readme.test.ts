import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { readmeExamples } from '../emit/core/examples.ts'
import type { Language } from '../emit/core/language.ts'
import { linksOf } from '../emit/core/links.ts'
import { type Edition, emitReadme } from '../emit/core/readme.ts'
import { LANGUAGES, loadGenerators, NAME_RULES } from '../languages.ts'
import { camel } from '../lower/platform.ts'
import { inTurn } from '../model/turns.ts'
import type { Api } from '../model/types.ts'
import { ROOT, readTemplates } from '../repository.ts'
import { compilerOf } from './compilers.ts'
import { CASES, modelOf, SOURCES, write } from './support.ts'

const generators = await loadGenerators()
const compilers = new Map(
  await Promise.all(LANGUAGES.map(async (one) => [one, await compilerOf(one.name)] as const)),
)

interface Readme {
  language: Language
  edition: Edition
  text: string
}

interface Node {
  type: string
  value?: string
  lang?: string | null
  url?: string
  depth?: number
  children?: Node[]
}

const contracts = readdirSync(CASES)
  .filter((name) => name !== 'negative')
  .map((name) => [name, join(CASES, name, 'openapi.yaml')] as const)

const ours = await modelOf(join(ROOT, 'openapi.yaml'))

describe.each([['ours', join(ROOT, 'openapi.yaml')] as const, ...contracts])(
  'the READMEs of %s',
  async (_name, file) => {
    const readmes = readmesOf(await modelOf(file))

    it('have no holes', () => {
      for (const { text } of readmes) {
        expect(found(text, /.*(?:\b(?:undefined|NaN)\b|\[object |[ \t]\n|\(, ).*|\n{4}/)).toBeNull()
      }
    })

    it('are Markdown whose code blocks are closed and tagged', () => {
      for (const { language, text } of readmes) {
        const blocks = nodes(text, 'code')
        expect(blocks.length).toBeGreaterThan(1)
        expect(new Set(blocks.map(({ lang }) => lang))).toEqual(new Set(['sh', language.fence]))
      }
    })

    it('show code that its language can parse, laid out as its formatter does', () => {
      for (const [language, code] of codeByLanguage(readmes)) {
        expect(compilers.get(language)?.layOut(code)).toEqual(code)
      }
    })
  },
)

describe('the examples', () => {
  it('finds in our contract a call of every kind', () => {
    const { list, read, create, variant, event } = readmeExamples(ours)
    const calls = [list?.all, list?.page, read, create, variant]
    expect(calls.map((call) => call?.operation.id)).toEqual([
      'GET /v1/conversations',
      'GET /v1/conversations',
      'GET /v1/conversations/{id}',
      'POST /v1/conversations/{id}/messages',
      'POST /v1/knowledge/sources',
    ])
    expect(event?.kind).toBe(inTurn(ours.webhooks)[0]?.event)
  })

  it("takes its arguments and what it prints from the contract's examples", () => {
    const { list, read, variant } = readmeExamples(ours)
    expect(list?.all.query.map(({ value }) => value)).toEqual(['open'])
    expect(list?.page.query.map(({ value }) => value)).toEqual([20])
    expect(read?.path.map(({ value }) => value)).toEqual(['conv_01J2Z8M3VN'])
    expect(read?.prints).toBe('conv_01J2Z8M3VN handed_off')
    expect(variant?.body?.fields.map(({ value }) => value)).toEqual([
      'url',
      'https://shop.example.com/help/shipping',
    ])
  })

  it('shows no call that is going away', () => {
    const gone = (api: Api): Api => ({
      ...api,
      operations: api.operations.map((one) => ({ ...one, doc: { ...one.doc, deprecated: true } })),
    })
    expect(readmeExamples(gone(ours))).toMatchObject({ list: null, read: null, create: null })
  })
})

describe('a contract that lacks something', () => {
  const headings = (api: Api) =>
    readmesOf(api).map(({ language, edition, text }) => [
      `${language.name} ${edition}`,
      nodes(text, 'heading').map((heading) => textOf(heading)),
    ])

  it.each([
    ['Pagination', { operations: ours.operations.filter(({ page }) => !page) }],
    ['Sending data', { operations: ours.operations.filter(({ body }) => !body) }],
    ['Webhooks', { webhooks: [] }],
  ])('has no section %s', (heading, change) => {
    expect(headings(ours).flat(2)).toContain(heading)
    expect(headings({ ...ours, ...change }).flat(2)).not.toContain(heading)
  })

  it('names no key where the API needs none', () => {
    for (const { text } of readmesOf({ ...ours, credential: null })) {
      expect(found(text, /SUPPORT_CHAT_API_KEY|api_?key:|WithAPIKey/i)).toBeNull()
    }
  })

  it('mentions no assumption where there is none', () => {
    for (const { text } of readmesOf({ ...ours, assumptions: [] })) {
      expect(found(text, /guess|assum/i)).toBeNull()
    }
  })
})

it('no README holds another name than those of the platform', () => {
  const shared = { title: 'Pet Shop', client: 'PetShop', envPrefix: 'PET_SHOP', mockNpm: 'mock' }
  const own = Object.keys(NAME_RULES).map((name) => [camel(name), 'pets'])
  const names = { ...shared, ...Object.fromEntries(own) }
  const platform = { ...ours.platform, ...names }
  for (const { text } of readmesOf({ ...ours, platform, title: 'Pet Shop API' })) {
    expect(found(text, /.*support.?chat.*/i)).toBeNull()
  }
})

describe('a published package', () => {
  it('is installed by its name', () => {
    const platform = { ...ours.platform, published: true }
    for (const { text } of readmesOf({ ...ours, platform })) {
      expect(found(text, /is not published|clone of|this folder/)).toBeNull()
      expect(codeOf(text, 'sh')).toHaveLength(1)
    }
  })
})

describe('text of a contract', () => {
  const HOSTILE =
    '# Not a heading\n\n---\n\n<script>evil()</script> [a](http://evil.example) ![b](x) `c` ``` | *d* &lt;e'

  it('stays text in the prose', () => {
    const api = { ...ours, title: HOSTILE, summary: HOSTILE }
    for (const [index, { text }] of readmesOf(api).entries()) {
      const plain = readmesOf(ours)[index]?.text ?? ''
      for (const type of ['html', 'heading', 'link', 'image', 'thematicBreak', 'code', 'table']) {
        const links = (node: Node) => node.url !== 'http://evil.example'
        expect(nodes(text, type).filter(links).length).toBe(nodes(plain, type).length)
      }
      const shown = HOSTILE.replace(/\s+/g, ' ')
      expect(textOf(nodes(text, 'root')[0] ?? { type: 'root' })).toContain(shown)
    }
  })

  it.each(['a\n```\n# out', "'; evil(); '", '"; evil(); "', '#{evil}', '\u2028', '\\'])(
    'stays a value in the code: %j',
    async (value) => {
      const file = write(JSON.stringify(documentWith(value)), 'openapi.json')
      const readmes = readmesOf(await modelOf(file))
      for (const { text } of readmes) {
        expect(nodes(text, 'heading').map(textOf)).not.toContain('out')
      }
      for (const [language, code] of codeByLanguage(readmes)) {
        expect(found(code.join('\n'), /^\s*evil/m)).toBeNull()
        expect(() => compilers.get(language)?.layOut(code)).not.toThrow()
      }
    },
  )
})

// Those of the packages are in links.test.ts.
it.each(['.', 'examples'])('the README in %s links to what exists', (folder) => {
  const text = readFileSync(join(ROOT, folder, 'README.md'), 'utf8')
  const links = nodes(text, 'link').map(({ url = '' }) => url)
  const missing = links.filter(
    (url) => !/^https:/.test(url) && !existsSync(join(ROOT, folder, url)),
  )
  expect(links.length).toBeGreaterThan(0)
  expect(missing).toEqual([])
})

function documentWith(value: string): object {
  const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const id = { name: 'id', in: 'path', required: true, example: value, schema: { type: 'string' } }
  const responses = {
    200: { description: 'A thing.', content: { 'application/json': { schema: thing } } },
  }
  const body = { ...thing, example: { id: value } }
  const requestBody = { required: true, content: { 'application/json': { schema: body } } }
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things/{id}': { get: { tags: ['things'], parameters: [id], responses } },
      '/things': { post: { tags: ['things'], requestBody, responses } },
    },
  }
}

function readmesOf(api: Api): Readme[] {
  return [...generators].flatMap(([language, { readmeSlots, formatCode }]) =>
    (['repository', 'package'] as const).map((edition) => ({
      language,
      edition,
      text: emitReadme(
        readTemplates(language)[edition],
        readmeSlots(api),
        SOURCES,
        api.platform,
        linksOf(api.platform, `sdks/${language.name}`),
        formatCode ? { fence: language.fence, format: formatCode } : null,
      ).content,
    })),
  )
}

/** The blocks of code, without those for the shell. */
function codeOf(text: string, lang?: string): string[] {
  return nodes(text, 'code')
    .filter((block) => (lang ? block.lang === lang : block.lang !== 'sh'))
    .map(({ value = '' }) => value)
}

/** Each block once, as most are the same wherever a README stands. */
function codeByLanguage(readmes: readonly Readme[]): Array<[Language, string[]]> {
  return LANGUAGES.map((one) => {
    const group = readmes.filter(({ language }) => language === one)
    return [one, [...new Set(group.flatMap(({ text }) => codeOf(text)))]]
  })
}

/** The part of a text that matches a pattern. */
function found(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[0] ?? null
}

const parsed = new Map<string, Node[]>()

function nodes(text: string, type: string): Node[] {
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)]
  const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
  const known = parsed.get(text) ?? all(fromMarkdown(text, extensions))
  parsed.set(text, known)
  return known.filter((node) => node.type === type)
}

function textOf({ value = '', children = [] }: Node): string {
  return value + children.map(textOf).join('')
}
