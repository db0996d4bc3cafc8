/** Hosted servers under test, in the process of the test, with PostgreSQL. */
import { createLog } from '../../src/door/log.ts'
import type { HostedOptions } from '../../src/hosted/options.ts'
import { type Server, startServer } from '../../src/server.ts'
import type { PostgresOptions } from '../../src/store/postgres/index.ts'
import type { Tracer } from '../../src/tracing/tracer.ts'
import { Schema } from '../postgres.ts'

export const ADMIN_TOKEN = 'admin-token-that-is-long-enough'
export const PUBLIC_URL = 'http://sandbox.test'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  body: any
}

interface Sent {
  method?: string
  body?: unknown
  form?: Record<string, string>
  key?: string
  headers?: Record<string, string>
}

interface More extends Pick<PostgresOptions, 'cipher' | 'idle' | 'archive'> {
  now?: () => number
  retention?: number
  contract?: string[]
  tracer?: Tracer
}

/** The servers of a test, which share a schema. */
export class Hosted {
  readonly schema = new Schema()
  readonly #servers: Server[] = []

  async start(
    options: Partial<HostedOptions> = {},
    { cipher, contract, tracer, idle, archive, ...more }: More = {},
  ) {
    const { role = 'all' } = options
    const server = await startServer({
      port: 0,
      host: '127.0.0.1',
      contract,
      log: createLog('silent'),
      tracer,
      sandbox: {
        store: {
          postgres: { ...this.schema.options(), cipher, idle, archive, delivers: role !== 'api' },
        },
        allowPrivate: true,
        hosted: { role, adminToken: ADMIN_TOKEN, publicUrl: PUBLIC_URL, ...options },
        ...more,
      },
    })
    this.#servers.push(server)
    return server
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.close()))
    await this.schema.drop()
  }
}

/** Sends a request as JSON, or a form as a browser on the public URL sends it. */
export async function send(
  { url }: Pick<Server, 'url'>,
  path: string,
  { method, body, form, key, headers }: Sent = {},
): Promise<Answer> {
  const text = form ? new URLSearchParams(form).toString() : body && JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await fetch(url + path, {
    method: method ?? (text === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(text !== undefined && { 'content-type': type }),
      ...(form && { 'sec-fetch-site': 'same-origin' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(text !== undefined && { body: text as string }),
  })
  const received = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const { status, headers: its } = response
  return { status, headers: its, body: isJson ? JSON.parse(received) : received }
}

/** Calls the admin API. */
export function admin(server: Pick<Server, 'url'>, path: string, sent: Sent = {}): Promise<Answer> {
  return send(server, `/_mock/admin/${path}`, { key: ADMIN_TOKEN, ...sent })
}

/** Issues a key. */
export async function issue(server: Pick<Server, 'url'>, limits?: Record<string, number>) {
  const { body } = await admin(server, 'keys', {
    body: { name: 'Shop', ...(limits && { limits }) },
  })
  return body as { id: string; key: string }
}
