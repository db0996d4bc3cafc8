/** What the drift check refuses: it names the operation or the event, and the field. */
import { expect, it } from 'vitest'
import { type Described, Description } from '../src/contract/document.ts'
import { DriftCheck } from '../src/contract/drift.ts'
import type { HttpResponse } from '../src/door/message.ts'

const SCHEMA = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, author: { $ref: '#/components/schemas/Author' } },
}
const description = new Description({
  openapi: '3.1.0',
  paths: {
    '/v1/things': {
      get: {
        responses: {
          '200': {
            headers: { Location: { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: SCHEMA } },
          },
          '204': { description: 'Nothing.' },
        },
      },
    },
  },
  webhooks: {
    'thing.made': {
      post: { requestBody: { content: { 'application/json': { schema: SCHEMA } } } },
    },
  },
  components: {
    schemas: { Author: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } } },
  },
})
const check = new DriftCheck(description)
const [operation] = description.operations as [Described]
const response = (body: unknown, more: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json', location: '/x' },
  body: JSON.stringify(body),
  ...more,
})

it('accepts what the contract declares', () => {
  check.response(operation, response({ id: 'a', author: { name: 'Ada' }, more: 1 }))
  check.response(operation, { status: 204, headers: {} })
  check.event('thing.made', '{"id":"a"}')
})

it.each([
  [
    response({}),
    'The response 200 of GET /v1/things does not match the contract: /id is required.',
  ],
  [response({ id: 1 }), ': /id must be string.'],
  [response({ id: 'a', author: { name: 'Grace' } }), ': /author/name must NOT have more than 3'],
  [response({ id: 'a' }, { status: 201 }), 'The response 201 of GET /v1/things'],
  [response({ id: 'a' }, { headers: { location: '/x' } }), ': content-type is not declared.'],
  [
    response({ id: 'a' }, { headers: { 'content-type': 'application/json' } }),
    ': location is required.',
  ],
  [response({ id: 'a' }, { status: 204 }), ': the body is not declared.'],
])('refuses %j', (wrong, reason) => {
  expect(() => check.response(operation, wrong)).toThrow(reason)
})

it('refuses events, too', () => {
  expect(() => check.event('thing.made', '{}')).toThrow(
    'The event thing.made does not match the contract: /id is required.',
  )
  expect(() => check.event('thing.lost', '{}')).toThrow('The event thing.lost')
})
