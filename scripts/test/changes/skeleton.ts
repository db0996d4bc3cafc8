import { type Catalogue, loadCatalogue } from '../../changes/catalogue.ts'
import { compare } from '../../changes/compare/index.ts'
import type { Reserved } from '../../changes/reserved.ts'
import type { Revision } from '../../changes/revision.ts'
import type { Change } from '../../changes/types.ts'
import type { Contract } from '../../contract/load.ts'
import { loadContract } from '../../contract/load.ts'
import { NAME_RULES } from '../../languages.ts'
import { lower } from '../../lower/lower.ts'
import { loadPlatform } from '../../lower/platform.ts'
import { loadPolicy } from '../../lower/policy.ts'
import type { Policy } from '../../model/types.ts'
import { ROOT } from '../../repository.ts'
import { formatProblem } from '../../yaml/index.ts'

type Json = Record<string, unknown>

/** What a case says about its document; the rest is the same in all. */
export interface Sketch {
  /** The query parameters, and all others, of `GET /v1/things`. */
  query?: Json[]
  parameters?: Json[]
  /** The fields of the body of `POST /v1/things`, all required unless `required` says otherwise. */
  body?: Json
  /** The fields of the response of `GET /v1/things/{id}`. */
  response?: Json
  /** The fields of the errors. */
  error?: Json
  /** The fields of the data of the event `thing.made`. */
  event?: Json
  required?: string[]
  /** Merged into the whole document; null removes. */
  document?: Json
  /** Merged into the policy. */
  policy?: Json
}

/** Merges as RFC 7396 does. */
export function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const merged: Json = typeof target === 'object' && target !== null ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The document of a sketch. */
export function documentOf(sketch: Sketch): Json {
  const model = (properties: Json = {}) => {
    const all = Object.keys(properties)
    const required = sketch.required ? all.filter((name) => sketch.required?.includes(name)) : all
    return { type: 'object', required, properties }
  }
  const responses = (schema: unknown, status = '200') => ({
    [status]: { description: 'Done.', ...json(schema) },
    default: { description: 'Failed.', ...json(ref('Problem')) },
  })
  const { query = [], parameters = [], body, response, error, event } = sketch
  const inQuery = query.map((one) => ({ in: 'query', ...one }))
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const envelope = {
    type: 'object',
    required: ['event', 'id', 'occurred_at', 'data'],
    properties: {
      event: { const: 'thing.made' },
      id: { type: 'string' },
      occurred_at: { type: 'string', format: 'date-time' },
      data: ref('MadeData'),
    },
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.things.test' }],
    security: [{ key: [] }],
    'x-webhook-signature': {
      header: 'x-signature',
      event_header: 'x-event',
      algorithm: 'hmac-sha256',
      prefix: 'sha256=',
      signed_content: 'body',
      encodings: { values: ['hex'] },
    },
    paths: {
      '/v1/things': {
        get: {
          'x-sdk-method': 'things.list',
          parameters: [...inQuery, ...parameters],
          responses: responses({ type: 'object', properties: { total: { type: 'integer' } } }),
        },
        post: {
          'x-sdk-method': 'things.create',
          requestBody: { required: true, ...json(ref('ThingParams')) },
          responses: responses(ref('Thing'), '201'),
        },
      },
      '/v1/things/{id}': {
        get: { 'x-sdk-method': 'things.get', parameters: [id], responses: responses(ref('Thing')) },
      },
    },
    webhooks: {
      'thing.made': {
        post: {
          requestBody: json(ref('MadeEvent')),
          responses: { '204': { description: 'Received.' } },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ThingParams: model(body ?? { name: { type: 'string' } }),
        Thing: model(response ?? { id: { type: 'string' } }),
        Problem: model(error ?? { title: { type: 'string' } }),
        MadeData: model(event ?? { thing_id: { type: 'string' } }),
        MadeEvent: envelope,
      },
    },
  }
  return merge(document, sketch.document ?? {}) as Json
}

const names = await loadPlatform(`${ROOT}sdks/names.yaml`, NAME_RULES)
const behavior = await loadPolicy(`${ROOT}sdks/behavior.yaml`)
export const { catalogue }: { catalogue: Catalogue } = await loadCatalogue()

/** A revision of a document that is given as data. */
export async function revisionOf(document: unknown, patch: unknown = {}): Promise<Revision> {
  const text = JSON.stringify(document, null, 2)
  const name = 'openapi.json'
  const { contract, problems } = await loadContract(`/${name}`, { name, read: () => text })
  if (!contract) throw new Error(problems.map(formatProblem).join('\n'))
  return lowered(contract, merge(behavior.policy, patch) as Policy)
}

function lowered(contract: Contract, policy: Policy): Revision {
  const { platform } = names
  if (!platform) throw new Error('names.yaml cannot be read')
  const { api, problems } = lower(contract, platform, policy)
  const serious = problems.filter(({ severity }) => severity !== 'note')
  if (serious.length > 0) throw new Error(serious.map(formatProblem).join('\n'))
  return { name: 'a document', contract, api, policy: { value: policy, locate: behavior.locate } }
}

/** The changes between two sketches. */
export async function changesOf(
  before: Sketch,
  after: Sketch,
  reserved: readonly Reserved[] = [],
): Promise<Change[]> {
  const [old, now] = await Promise.all([
    revisionOf(documentOf(before), before.policy),
    revisionOf(documentOf(after), after.policy),
  ])
  return compare(old, now, catalogue, reserved)
}
