import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Location, Locations, Problem } from '../yaml/index.ts'
import { isObject, type Json, walk } from './json.ts'

/** The reason for an assumption. */
const sentence = { type: 'string', minLength: 10, pattern: '^[\\s\\S]*[.!?]\\s*$' }
const token = { type: 'string', minLength: 1 }

/** The name of a method of the SDKs. */
const METHOD = /^[a-z][A-Za-z0-9_]*(\.[a-z][A-Za-z0-9_]*)+$/

/** How lists are paged. */
export interface PaginationMark {
  style: 'cursor'
  cursor_param: string
  limit_param?: string
  items: string
  next_cursor: string
  'x-assumed'?: string
}

/** Under which header a repeated request is recognised. */
export interface IdempotencyMark {
  header: string
  'x-assumed'?: string
}

/** How deliveries of webhooks are signed. */
export interface SignatureMark {
  header: string
  event_header: string
  algorithm: 'hmac-sha256'
  prefix: string
  signed_content: 'body'
  encodings: { values: Array<'hex' | 'base64' | 'base64url'>; 'x-assumed'?: string }
}

/** The supported extensions, each with its schema. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'x-assumed': sentence,
  'x-sdk-name': { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
  'x-sdk-method': {
    type: 'string',
    pattern: METHOD.source,
  },
  'x-pagination': {
    type: 'object',
    required: ['style', 'cursor_param', 'items', 'next_cursor'],
    properties: {
      style: { const: 'cursor' },
      cursor_param: token,
      limit_param: token,
      items: token,
      next_cursor: token,
      'x-assumed': sentence,
    },
    additionalProperties: false,
  },
  'x-idempotency': {
    type: 'object',
    required: ['header'],
    properties: { header: token, 'x-assumed': sentence },
    additionalProperties: false,
  },
  'x-renamed-from': token,
  'x-sample': { const: true },
  'x-stability': { enum: ['preview', 'stable'] },
  'x-webhook-signature': {
    type: 'object',
    required: ['header', 'event_header', 'algorithm', 'prefix', 'signed_content', 'encodings'],
    properties: {
      header: token,
      event_header: token,
      algorithm: { const: 'hmac-sha256' },
      prefix: { const: 'sha256=' },
      signed_content: { const: 'body' },
      encodings: {
        type: 'object',
        required: ['values'],
        properties: {
          values: {
            type: 'array',
            minItems: 1,
            uniqueItems: true,
            items: { enum: ['hex', 'base64', 'base64url'] },
          },
          'x-assumed': sentence,
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
}

const ajv = new Ajv2020()
const validators = new Map<string, ValidateFunction>(
  Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]),
)

/**
 * Finds extensions with invalid values. Other tools' extensions are ignored,
 * except in `strict` documents, which have none.
 */
export function checkExtensions(document: Json, locations: Locations, strict: boolean): Problem[] {
  const problems: Problem[] = []
  walk(document, (node, path, names) => {
    if (names || !isObject(node)) return
    for (const [key, value] of Object.entries(node)) {
      if (!key.startsWith('x-')) continue
      const validate = validators.get(key)
      const location = () => locations.of(node, key)
      if (!validate) {
        if (strict || /^x-(sdk-|assum)/.test(key)) problems.push(unknown(key, location()))
      } else if (!validate(value)) {
        problems.push(wrong(key, reasonsOf(validate), location()))
      } else if (
        key === 'x-renamed-from' &&
        isOperation(path) &&
        !/^[A-Z]+ \//.test(String(value)) &&
        !METHOD.test(String(value))
      ) {
        const reason = 'must be a method and a path, or an SDK method'
        problems.push(wrong(key, reason, location()))
      }
    }
  })
  return problems
}

function unknown(key: string, location: Location): Problem {
  const known = [...validators.keys()].join(', ')
  return {
    severity: 'error',
    location,
    message: `unknown extension ${key}`,
    fix: `Use one of ${known}, or remove it`,
  }
}

const HINTS: Readonly<Record<string, string>> = {
  'x-assumed': 'Give the reason for the assumption in a full sentence',
  'x-sdk-name': 'Give a name of letters, digits and underscores that starts with a letter',
  'x-renamed-from':
    'Give the old name; for an operation "GET /v1/orders", or its old SDK method, like "orders.list"',
  'x-sample': 'Write `x-sample: true` on the operations and webhooks to show first',
  'x-sdk-method': 'Give resources and a method joined by dots, like "orders.items.list"',
}

function isOperation(path: readonly string[]): boolean {
  return path.length === 3 && path[0] === 'paths'
}

function reasonsOf({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message }) => `${instancePath.slice(1)} ${message}`.trim())
    .join('; ')
}

function wrong(key: string, reasons: string, location: Location): Problem {
  return {
    severity: 'error',
    location,
    message: `${key} is not valid: ${reasons}`,
    fix: HINTS[key] ?? 'Correct it, or remove it',
  }
}
