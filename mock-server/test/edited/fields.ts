/** Edits of fields and values. */
import {
  type Edit,
  examples,
  list,
  MESSAGE,
  type Node,
  rename,
  renameField,
  SUMMARY,
  walk,
} from './tools.ts'

export const FIELD_EDITS: Edit[] = [
  { name: 'nothing', edit: () => {} },
  {
    name: 'a renamed field',
    edit(document) {
      renameField(document.components.schemas.Message, 'text', 'body')
      renameField(document.components.schemas.MessageCreateParams, 'text', 'body')
      examples(document, MESSAGE, (value) => rename(value, 'text', 'body'))
      const post = document.paths['/v1/conversations/{id}/messages'].post
      rename(post.requestBody.content['application/json'].examples.answer.value, 'text', 'body')
    },
  },
  {
    name: 'a renamed field without a mark',
    edit(document) {
      renameField(document.components.schemas.Message, 'text', 'body', false)
      examples(document, MESSAGE, (value) => rename(value, 'text', 'body'))
    },
  },
  {
    name: 'a renamed id',
    edit(document) {
      renameField(document.components.schemas.ConversationSummary, 'id', 'conversation_id')
      examples(document, SUMMARY, (value) => rename(value, 'id', 'conversation_id'))
    },
  },
  {
    name: 'a removed field',
    edit(document) {
      const { ConversationSummary: summary } = document.components.schemas
      delete summary.properties.created_at
      summary.required = ['id', 'status', 'updated_at']
      summary.additionalProperties = true
      examples(document, SUMMARY, (value) => {
        delete value.created_at
      })
    },
  },
  {
    name: 'removed fields of a closed schema',
    edit(document) {
      const { Message: message, Author: author } = document.components.schemas
      message.additionalProperties = false
      author.additionalProperties = false
      delete author.properties.name
      author.required = ['type']
      examples(document, ['type', 'name'], (value) => {
        if (/visitor|agent|bot/.test(value.type)) delete value.name
      })
    },
  },
  {
    name: 'added required fields',
    edit(document) {
      const {
        Message: message,
        Conversation: whole,
        Analytics: counters,
      } = document.components.schemas
      message.properties.language = { type: 'string', enum: ['en', 'de'] }
      message.required.push('language')
      whole.allOf[1].properties.tags = {
        type: 'array',
        minItems: 1,
        items: { type: 'string', minLength: 2 },
      }
      whole.allOf[1].properties.priority = { type: 'integer', minimum: 3 }
      whole.allOf[1].required.push('tags', 'priority')
      counters.properties.period = {
        type: 'object',
        required: ['from'],
        properties: { from: { type: 'string', format: 'date' } },
      }
      counters.required.push('period')
      examples(document, MESSAGE, (value) => Object.assign(value, { language: 'de' }))
      examples(document, ['transcript'], (value) =>
        Object.assign(value, { tags: ['vip'], priority: 4 }),
      )
      examples(document, ['deflection_rate'], (value) =>
        Object.assign(value, { period: { from: '2026-01-01' } }),
      )
    },
  },
  {
    name: 'a new enum value',
    edit(document) {
      document.components.schemas.ConversationStatus.enum.push('snoozed')
      examples(document, SUMMARY, (value) => {
        if (value.status === 'resolved') value.status = 'snoozed'
      })
    },
  },
  {
    name: 'a removed enum value',
    edit(document) {
      document.components.schemas.ConversationStatus.enum = ['open', 'resolved']
      examples(document, SUMMARY, (value) => {
        if (value.status === 'handed_off') value.status = 'open'
      })
    },
  },
  {
    name: 'enum values in another spelling',
    edit(document) {
      document.components.schemas.ConversationStatus.enum = ['OPEN', 'HANDED-OFF', 'RESOLVED']
      const spell = (status: string) => status.toUpperCase().replace('_', '-')
      examples(document, SUMMARY, (value) => Object.assign(value, { status: spell(value.status) }))
      list(document).parameters[2].example = 'OPEN'
    },
  },
  {
    name: 'ids with another prefix',
    edit(document) {
      walk(document, (node) => {
        for (const [key, value] of Object.entries(node)) {
          if (typeof value === 'string') node[key] = value.replaceAll('conv_', 'thread_')
        }
      })
    },
  },
  {
    name: 'ids as integers',
    edit(document) {
      const { schemas, parameters } = document.components
      const integer = { type: 'integer', minimum: 1 }
      for (const schema of ['ConversationSummary', 'Message', 'Source', 'EventEnvelope']) {
        schemas[schema].properties.id = integer
      }
      schemas.Message.properties.conversation_id = integer
      for (const [name, { properties }] of Object.entries<Node>(schemas)) {
        if (!name.endsWith('Data') || !properties) continue
        for (const id of ['conversation_id', 'source_id'])
          if (properties[id]) properties[id] = integer
      }
      parameters.ConversationId.schema = integer
      const numbers = new Map<string, number>()
      const numberOf = (id: string) => {
        numbers.set(id, numbers.get(id) ?? numbers.size + 1)
        return numbers.get(id)
      }
      parameters.ConversationId.example = numberOf(parameters.ConversationId.example)
      walk(document, (node) => {
        for (const key of ['id', 'conversation_id', 'source_id']) {
          if (/^(?:conv|msg|src|evt)_/.test(String(node[key]))) node[key] = numberOf(node[key])
        }
      })
    },
  },
  {
    name: 'times as numbers',
    edit(document) {
      const { ConversationSummary: summary } = document.components.schemas
      summary.properties.updated_at = { type: 'integer' }
      examples(document, SUMMARY, (value) => {
        value.updated_at = Date.parse(value.updated_at) / 1000
      })
    },
  },
  {
    name: 'other limits',
    edit(document) {
      document.components.schemas.MessageCreateParams.properties.text.maxLength = 60
      document.components.schemas.ConversationCsatData.properties.rating.maximum = 10
      Object.assign(list(document).parameters[1].schema, { maximum: 2, default: 1 })
      list(document).parameters[1].example = 2
    },
  },
  {
    name: 'a union in place of an object, and a list in place of a value',
    edit(document) {
      const { Author: author, ConversationHandoffData: data } = document.components.schemas
      document.components.schemas.Author = {
        oneOf: ['visitor', 'agent', 'bot'].map((type) => ({
          type: 'object',
          required: ['type', 'name'],
          additionalProperties: false,
          properties: { type: { const: type }, name: author.properties.name },
        })),
      }
      data.properties.reason = { type: 'array', items: { type: 'string' } }
      examples(document, ['transcript_url'], (value) =>
        Object.assign(value, { reason: [value.reason] }),
      )
    },
  },
]
