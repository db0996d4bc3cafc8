import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare } from '../changes/compare/index.ts'
import { loadRevision } from '../changes/revision.ts'
import type { Change } from '../changes/types.ts'
import { NAME_RULES } from '../languages.ts'
import { loadPlatform } from '../lower/platform.ts'
import { loadPolicy } from '../lower/policy.ts'
import { ROOT } from '../repository.ts'
import { catalogue, changesOf, revisionOf, type Sketch } from './changes/skeleton.ts'
import { syntheticDocument } from './synthetic.ts'

const { platform } = await loadPlatform(join(ROOT, 'sdks/names.yaml'), NAME_RULES)
const { policy } = await loadPolicy(join(ROOT, 'sdks/behavior.yaml'))
if (!platform || !policy) throw new Error('the names or the policy cannot be read')
const surroundings = { root: ROOT, platform, policy }

const OLD: Sketch = {
  response: { id: { type: 'string' }, note: { type: 'string' }, text: { type: 'string' } },
  required: ['id', 'text', 'name', 'title', 'thing_id'],
}
const NEW: Sketch = { response: { id: { type: 'string' } } }

describe('the comparison', () => {
  it('finds nothing between a contract and itself, however its keys are ordered', async () => {
    const { document } = (await loadRevision(null, surroundings)).contract
    const [before, after] = await Promise.all([
      revisionOf(document),
      revisionOf(reversed(document)),
    ])
    expect(compare(before, after, catalogue)).toEqual([])
  })

  it('finds what was added where it finds what was removed the other way round', async () => {
    const parts: Sketch = {
      query: [{ name: 'q', schema: { type: 'string' } }],
      body: { a: { type: 'string' }, b: { enum: ['x', 'y'] } },
      response: { c: { enum: ['x', 'y'] }, d: { type: 'integer' } },
      required: [],
    }
    const less: Sketch = {
      query: [{ name: 'r', schema: { type: 'integer' } }],
      body: { b: { enum: ['x'] } },
      response: { c: { enum: ['x'] } },
      required: [],
    }
    const swapped = (kinds: string[]) =>
      kinds.map((kind) =>
        kind.replace(/added|(?:optional-)?removed/, (word) =>
          word === 'added' ? 'removed' : 'added',
        ),
      )
    const kinds = (changes: Change[]) =>
      changes.map(({ kind }) => kind.replace('optional-', '')).sort()
    const there = kinds(await changesOf(parts, less))
    const back = kinds(await changesOf(less, parts))
    expect(there.length).toBeGreaterThan(4)
    expect(swapped(there).sort()).toEqual(back)
  })

  it('gives every change a fingerprint of its own, which other changes leave as it is', async () => {
    const one = await changesOf(OLD, NEW)
    const two = await changesOf(
      { ...OLD, query: [{ name: 'q', schema: { type: 'string' } }] },
      { ...NEW, event: { other: { type: 'integer' } }, document: { info: { title: 'Other' } } },
    )
    const prints = (changes: Change[]) => changes.map(({ fingerprint }) => fingerprint)
    expect(new Set(prints(two)).size).toBe(two.length)
    expect(two.length).toBeGreaterThan(one.length)
    expect(prints(two)).toEqual(expect.arrayContaining(prints(one)))
  })

  it('has a kind for everything that it finds between any two documents', async () => {
    const files = globSync('cases/*/openapi.yaml', { cwd: import.meta.dirname }).sort()
    const revisions = await Promise.all(
      files.map((file) => loadRevision(join(import.meta.dirname, file), surroundings)),
    )
    for (const [index, revision] of revisions.entries()) {
      const next = revisions[(index + 1) % revisions.length]
      if (!next) throw new Error('unreachable')
      const changes = compare(revision, next, catalogue)
      const prints = new Set(changes.map(({ fingerprint }) => fingerprint))
      expect(prints.size).toBe(changes.length)
      expect(compare(revision, revision, catalogue)).toEqual([])
    }
  })

  it('finds every change between documents of two megabytes', async () => {
    const count = 160
    const before = syntheticDocument(count)
    const text = JSON.stringify(before, null, 2)
    expect(text.length).toBeGreaterThan(2_000_000)
    const after = JSON.parse(text)
    for (const schema of Object.values<{ properties: object }>(after.components.schemas)) {
      Reflect.deleteProperty(schema.properties, 'field_7')
    }
    const [old, now] = await Promise.all([revisionOf(before), revisionOf(after)])
    const kinds = compare(old, now, catalogue).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(
      new Set(['request-field-removed', 'response-field-optional-removed']),
    )
    expect(kinds).toHaveLength(2 * count)
  })

  it('reports a field of a shared type once, with its users', async () => {
    const [change, ...others] = await changesOf(
      { response: { id: { type: 'string' }, a: { type: 'string' } } },
      {},
    )
    expect(others).toEqual([])
    expect(change?.users).toEqual(['GET /v1/things/{id}', 'POST /v1/things'])
  })

  it('reports a type that travels both ways once in each direction', async () => {
    const both = {
      paths: {
        '/v1/things': {
          post: {
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      },
      components: { schemas: { ThingParams: null } },
    }
    const changes = await changesOf(
      { response: { a: { type: 'string' } }, document: both },
      { response: { a: { type: 'integer' } }, document: both },
    )
    expect(changes.map(({ kind }) => kind).sort()).toEqual([
      'request-field-type-changed',
      'response-field-type-changed',
    ])
  })

  it('marks breaks of previews and of assumptions', async () => {
    const preview = { 'x-stability': 'preview' }
    const schemas = { Thing: { 'x-assumed': 'The fields are not shown.' } }
    const [change] = await changesOf(
      { ...OLD, document: { ...preview, components: { schemas } } },
      { ...NEW, document: preview },
    )
    expect(change).toMatchObject({ preview: true, assumed: { before: true, after: false } })
  })
})

/** Data whose mappings have their keys in the opposite order; lists stay as they are. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)])
  return Object.fromEntries(entries.reverse())
}
