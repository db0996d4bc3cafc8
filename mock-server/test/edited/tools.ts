/** Tools to edit our contract as data, its examples included. */
import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { CONTRACT } from '../oracle-of.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of any form
export type Node = any

const TEXT = readFileSync(CONTRACT, 'utf8')

export interface Edit {
  name: string
  edit: (document: Node) => void
}

export function edited({ edit }: Edit): Node {
  const document = parseYaml(TEXT) as Node
  edit(document)
  return document
}

/** Calls a function with every object of a document. */
export function walk(node: Node, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node)
  for (const part of Object.values(node)) walk(part, visit)
}

/** Changes the objects in examples that have all of some fields. */
export function examples(document: Node, fields: string[], change: (value: Node) => void): void {
  walk(document, (node) => {
    if (!('value' in node) && !('example' in node)) return
    walk(node.value ?? node.example, (value) => {
      if (fields.every((field) => field in value)) change(value)
    })
  })
}

export const MESSAGE = ['conversation_id', 'author', 'text']
export const SUMMARY = ['id', 'status', 'updated_at']

export function rename(node: Node, before: string, after: string): void {
  if (!(before in node)) return
  const entries = Object.entries(node).map(([key, value]) => [key === before ? after : key, value])
  for (const key of Object.keys(node)) delete node[key]
  Object.assign(node, Object.fromEntries(entries))
}

export function renameField(schema: Node, before: string, after: string, isMarked = true): void {
  rename(schema.properties, before, after)
  schema.required = schema.required.map((name: string) => (name === before ? after : name))
  if (isMarked)
    schema.properties[after] = { allOf: [schema.properties[after]], 'x-renamed-from': before }
}

export function renameKind(document: Node, before: string, after: string, schema: string): void {
  rename(document.webhooks, before, after)
  document.webhooks[after]['x-renamed-from'] = before
  document.components.schemas[schema].allOf[1].properties.event.const = after
  walk(document.webhooks[after], (node) => {
    if (node.event === before) node.event = after
  })
}

export const list = (document: Node) => document.paths['/v1/conversations'].get
export const hook = (kind: string, data: Node, example: Node) => ({
  post: {
    summary: 'Something new',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['event', 'id', 'occurred_at', 'data'],
            properties: {
              event: { type: 'string', const: kind },
              id: { type: 'string' },
              occurred_at: { type: 'string', format: 'date-time' },
              data,
            },
          },
          examples: {
            one: {
              value: {
                event: kind,
                id: 'evt_01J2Z8M3W0',
                occurred_at: '2026-03-02T09:14:07Z',
                data: example,
              },
            },
          },
        },
      },
    },
    responses: { '2XX': { description: 'Received.' } },
  },
})
