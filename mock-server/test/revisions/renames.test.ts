/** What became what from one revision to the next. */
import { describe, expect, it } from 'vitest'
import { Description } from '../../src/contract/document.ts'
import { traced } from '../../src/revisions/renames.ts'
import type { Node } from '../edited/tools.ts'
import { documentOf, NEW, OLD } from './pairs.ts'

const renames = (before: Node, after: Node) =>
  traced(new Description(before), new Description(after)).renames.map(
    ({ what, from, to, isCertain }) => `${what} ${from} → ${to}${isCertain ? '' : '?'}`,
  )
const since = (name: string) => renames(documentOf('nothing', OLD), documentOf(name, NEW))

describe('renames', () => {
  it.each([
    ['nothing', []],
    ['a renamed field', ['field text → body']],
    ['a renamed field without a mark', ['field text → body?']],
    ['a renamed id', ['field id → conversation_id']],
    ['a renamed kind of event', ['event conversation.handoff → handoff.requested']],
    [
      'renamed fields of the envelope and the data of events',
      ['field occurred_at → created_at', 'field reason → cause'],
    ],
    ['a renamed path parameter', ['parameter id → conversation_id?']],
    ['a removed field', []],
    ['added required fields', []],
    ['a removed endpoint', []],
    ['a new kind of event', []],
  ])('of %s', (name, expected) => {
    expect(since(name).sort()).toEqual([...expected].sort())
  })

  it('of paths are known by the ids of operations', () => {
    expect(since('other paths')).toEqual([
      'operation GET /v1/conversations → GET /v2/threads',
      'operation GET /v1/conversations/{id} → GET /v2/threads/{id}',
      'operation POST /v1/conversations/{id}/messages → POST /v2/threads/{id}/messages',
    ])
  })

  it('leave the documents as they were, and end where schemas contain themselves', () => {
    const node = (name: string) => ({
      openapi: '3.1.0',
      paths: {
        '/trees': {
          get: {
            responses: {
              200: {
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          Tree: {
            type: 'object',
            properties: {
              [name]: { type: 'string' },
              children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
              parent: { oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
            },
          },
        },
      },
    })
    const [before, after] = [node('label'), node('title')]
    const texts = [before, after].map((one) => JSON.stringify(one))
    expect(renames(before, after)).toEqual(['field label → title?'])
    expect([before, after].map((one) => JSON.stringify(one))).toEqual(texts)
  })

  it('are none where it is not clear which part became which', () => {
    const document = documentOf('a renamed field without a mark', NEW)
    const { Message } = document.components.schemas
    Message.properties.content = Message.properties.body
    expect(renames(documentOf('nothing', OLD), document)).toEqual([])
  })
})
