/** Edits of operations, events, pages, errors and headers. */
import {
  type Edit,
  examples,
  hook,
  list,
  type Node,
  rename,
  renameField,
  renameKind,
  walk,
} from './tools.ts'

export const WIRE_EDITS: Edit[] = [
  {
    name: 'a new endpoint',
    edit(document) {
      document.paths['/v1/teams/{team}'] = {
        get: {
          operationId: 'getTeam',
          parameters: [{ name: 'team', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            '200': {
              description: 'The team.',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['name'],
                    properties: { name: { type: 'string' } },
                  },
                  example: { name: 'Support' },
                },
              },
            },
          },
        },
      }
    },
  },
  {
    name: 'a new kind of event',
    edit(document) {
      const data = {
        type: 'object',
        required: ['conversation_id', 'agent'],
        properties: { conversation_id: { type: 'string' }, agent: { type: 'string' } },
      }
      document.webhooks['conversation.assigned'] = hook('conversation.assigned', data, {
        conversation_id: 'conv_01J2Z8M3VN',
        agent: 'Mina',
      })
    },
  },
  {
    name: 'a removed kind of event',
    edit(document) {
      delete document.webhooks['conversation.csat']
    },
  },
  {
    name: 'no events at all',
    edit(document) {
      delete document.webhooks
    },
  },
  {
    name: 'a renamed kind of event',
    edit(document) {
      renameKind(document, 'conversation.handoff', 'handoff.requested', 'ConversationHandoffEvent')
    },
  },
  {
    name: 'renamed fields of the envelope and the data of events',
    edit(document) {
      const { EventEnvelope: envelope, ConversationHandoffData: data } = document.components.schemas
      renameField(envelope, 'occurred_at', 'created_at')
      renameField(data, 'reason', 'cause')
      examples(document, ['event', 'occurred_at'], (value) =>
        rename(value, 'occurred_at', 'created_at'),
      )
      examples(document, ['transcript_url'], (value) => rename(value, 'reason', 'cause'))
    },
  },
  {
    name: 'renamed keys of a page',
    edit(document) {
      const { ConversationPage: page } = document.components.schemas
      renameField(page, 'data', 'items', false)
      renameField(page, 'next_cursor', 'next', false)
      page.additionalProperties = false
      Object.assign(list(document)['x-pagination'], {
        items: 'items',
        next_cursor: 'next',
        cursor_param: 'after',
        limit_param: 'page_size',
      })
      list(document).parameters[0].name = 'after'
      list(document).parameters[1].name = 'page_size'
      examples(document, ['has_more'], (value) => {
        rename(value, 'data', 'items')
        rename(value, 'next_cursor', 'next')
      })
    },
  },
  {
    name: 'a bare list in place of pages',
    edit(document) {
      const { '200': ok } = list(document).responses
      delete list(document)['x-pagination']
      list(document).parameters = [list(document).parameters[2]]
      const content = ok.content['application/json']
      content.schema = {
        type: 'array',
        items: { $ref: '#/components/schemas/ConversationSummary' },
      }
      for (const example of Object.values<Node>(content.examples))
        example.value = example.value.data
    },
  },
  {
    name: 'a renamed path parameter',
    edit(document) {
      for (const path of ['/v1/conversations/{id}', '/v1/conversations/{id}/messages']) {
        rename(document.paths, path, path.replace('{id}', '{conversation_id}'))
      }
      document.components.parameters.ConversationId.name = 'conversation_id'
    },
  },
  {
    name: 'other paths',
    edit(document) {
      for (const path of Object.keys(document.paths)) {
        rename(document.paths, path, path.replace('/v1/conversations', '/v2/threads'))
      }
    },
  },
  {
    name: 'a removed endpoint',
    edit(document) {
      delete document.paths['/v1/conversations/{id}']
      delete document.paths['/v1/knowledge/sources']
    },
  },
  {
    name: 'another format of errors',
    edit(document) {
      const { responses, schemas } = document.components
      schemas.Problem = {
        type: 'object',
        required: ['error'],
        additionalProperties: false,
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message'],
            properties: { code: { type: 'integer' }, message: { type: 'string' } },
          },
        },
      }
      for (const response of Object.values<Node>(responses)) {
        if (!response.content) continue
        const { schema } = response.content['application/problem+json']
        response.content = {
          'application/json': { schema, example: { error: { code: 7, message: 'No.' } } },
        }
      }
    },
  },
  {
    name: 'renamed fields of errors, and a required one',
    edit(document) {
      const { Problem: problem } = document.components.schemas
      problem.properties.docs = { type: 'string', format: 'uri' }
      problem.required.push('docs')
      renameField(problem, 'code', 'reason')
      examples(document, ['title', 'request_id'], (value) => {
        rename(value, 'code', 'reason')
        value.docs = 'https://docs.example.com/errors'
      })
    },
  },
  {
    name: 'other statuses of success, and a required header',
    edit(document) {
      const { post } = document.paths['/v1/conversations/{id}/messages']
      rename(post.responses, '201', '202')
      post.responses['202'].headers.Location = {
        required: true,
        schema: { type: 'string' },
        example: '/x',
      }
      const { post: add } = document.paths['/v1/knowledge/sources']
      add.responses = { '204': { description: 'Added.' }, default: add.responses.default }
    },
  },
  {
    name: 'a renamed header of requests and of signatures',
    edit(document) {
      const { parameters, headers } = document.components
      parameters.IdempotencyKey.name = 'Request-Key'
      for (const path of ['/v1/conversations/{id}/messages', '/v1/knowledge/sources']) {
        document.paths[path].post['x-idempotency'].header = 'Request-Key'
      }
      document['x-webhook-signature'].header = 'x-signature'
      document['x-webhook-signature'].event_header = 'x-kind'
      headers.RequestId['x-renamed-from'] = 'X-Request-Id'
      walk(document, (node) => rename(node, 'X-Request-Id', 'Trace-Id'))
    },
  },
]
