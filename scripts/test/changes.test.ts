import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Reserved } from '../changes/reserved.ts'
import { readYaml } from '../yaml/index.ts'
import { catalogue, changesOf, documentOf, type Sketch } from './changes/skeleton.ts'

interface Case {
  before: Sketch
  after: Sketch
  is?: string[]
  go?: string
  reserved?: Reserved[]
}

const FILE = new URL('changes/cases.yaml', import.meta.url).pathname
const { value } = await readYaml<Record<string, Case>>(FILE, { type: 'object' })
const cases = Object.entries(value ?? {})

describe('every kind of change', () => {
  it('has a case', () => {
    expect(readFileSync(FILE, 'utf8')).not.toBe('')
    // Those of the SDKs' surfaces are in surface-changes.test.ts.
    const kinds = [...catalogue.keys()].filter((kind) => !kind.startsWith('sdk-'))
    expect(cases.map(([kind]) => kind).sort()).toEqual(kinds.sort())
  })

  it.each(cases)('%s is found, and nothing else', async (kind, one) => {
    const { before, after, is = [kind], go, reserved } = one
    const changes = await changesOf(before, after, reserved)
    expect(changes.map((change) => change.kind).sort()).toEqual([...is].sort())
    if (go) expect(changes.find((change) => change.kind === kind)?.subject.go).toBe(go)
  })
})

it('another name that the contract itself gives to a type is no old name', async () => {
  const given = { $ref: '#/components/schemas/Thing' }
  const other = (schema: object | null): Sketch => ({
    document: { components: { schemas: { Ticket: schema } } },
  })
  const kinds = async (before: Sketch, after: Sketch) =>
    (await changesOf(before, after)).map(({ kind }) => kind)
  const old = { ...given, deprecated: true }
  expect(await kinds(other(given), other(old))).toEqual(['type-deprecated'])
  expect(await kinds(other(old), other(null))).toEqual(['type-removed'])
})

describe('the text of a renamed part', () => {
  const id = { type: 'string' }
  const query = (name: string, more: object = {}) => ({ query: [{ name, schema: id, ...more }] })
  const method = (name: string) => ({
    document: { paths: { '/v1/things': { post: { 'x-sdk-method': name } } } },
  })
  const kind = (name: string) => ({ response: { kind: { type: 'string', enum: ['a', name] } } })

  it.each<[string, Sketch, Sketch, object]>([
    [
      'a field',
      { response: { sub_total: id } },
      { response: { net_amount: { ...id, 'x-renamed-from': 'sub_total' } } },
      {
        typescript: '`Thing.sub_total` is now called `Thing.net_amount`.',
        python:
          '`Thing.sub_total` is now called `Thing.net_amount`. Python and Ruby keep the old name, deprecated.',
        ruby: '`Thing#sub_total` is now called `Thing#net_amount`. Python and Ruby keep the old name, deprecated.',
        go: '`Thing.SubTotal` is now called `Thing.NetAmount`.',
      },
    ],
    [
      'a parameter',
      query('q'),
      query('search', { 'x-renamed-from': 'q' }),
      {
        typescript:
          '`client.things.list({ q })` is now called `client.things.list({ search })`. The service ignores the old name.',
        python:
          '`client.things.list(q=)` is now called `client.things.list(search=)`. The service ignores the old name.',
        ruby: '`client.things.list(q:)` is now called `client.things.list(search:)`. The service ignores the old name.',
        go: '`ThingListParams.Q` is now called `ThingListParams.Search`. The service ignores the old name.',
      },
    ],
    [
      'a method',
      {},
      method('things.make'),
      {
        typescript: 'The method `client.things.create` is now called `client.things.make`.',
        python: 'The method `client.things.create` is now called `client.things.make`.',
        ruby: 'The method `client.things.create` is now called `client.things.make`.',
        go: 'The method `Things.Create` is now called `Things.Make`.',
      },
    ],
    [
      'a value',
      kind('b'),
      kind('c'),
      {
        typescript: "The value `ThingKind 'b'` of responses is now `ThingKind 'c'`.",
        python: 'The value `ThingKind "b"` of responses is now `ThingKind "c"`.',
        ruby: 'The value `ThingKind::B` of responses is now `ThingKind::C`.',
        go: 'The value `ThingKindB` of responses is now `ThingKindC`.',
      },
    ],
  ])('has both names as each language spells them: %s', async (_, before, after, texts) => {
    const [change] = await changesOf(before, after)
    expect(change?.texts).toEqual(texts)
  })
})

describe('the text in a language', () => {
  it('says nothing about other languages', async () => {
    const name = { type: 'string' }
    const [change] = await changesOf({ body: { name } }, { body: { name, size: name } })
    expect(change?.text).toMatch(/ Go sends its zero value\.$/)
    expect(change?.texts.go).toBe(
      '`ThingParams.Size` was added and is required. Go sends its zero value.',
    )
    expect(change?.texts.ruby).toBe('`ThingParams#size` was added and is required.')
  })

  it('has the kinds of an event whose type keeps its name', async () => {
    const { 'thing.made': made } = documentOf({}).webhooks as Record<string, object>
    const renamed = { 'x-renamed-from': 'thing.made', ...made }
    const webhooks = { 'thing.made': null, 'thing.built': renamed }
    const schemas = { MadeEvent: { properties: { event: { const: 'thing.built' } } } }
    const changes = await changesOf({}, { document: { webhooks, components: { schemas } } })
    const { texts } = changes.find(({ kind }) => kind === 'event-renamed') ?? {}
    expect(texts?.ruby).toBe('The event `thing.made` is now called `thing.built`.')
    expect(texts?.typescript).toBe("The event `'thing.made'` is now called `'thing.built'`.")
  })
})
