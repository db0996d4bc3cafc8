/** Servers of two revisions of our contract: as it is, and edited. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer, type MockServer, type MockServerOptions } from '../../src/index.ts'
import { FIELD_EDITS } from '../edited/fields.ts'
import { edited, type Node } from '../edited/tools.ts'
import { WIRE_EDITS } from '../edited/wire.ts'

export const EDITS = [...FIELD_EDITS, ...WIRE_EDITS]
export const OLD = '1.0.0'
export const NEW = '2.0.0'

/** Our contract after an edit, by its name, as a version. */
export function documentOf(name: string, version: string): Node {
  const edit = EDITS.find((one) => one.name === name)
  if (!edit) throw new Error(`there is no edit ${name}`)
  const document = edited(edit)
  document.info.version = version
  return document
}

export interface Options {
  method?: string
  body?: object
  revision?: string
  headers?: Record<string, string>
}

export interface Called {
  status: number
  headers: Headers
  body: Node
}

/** Files of contracts, and servers of them. */
export class Pairs {
  readonly folder = mkdtempSync(join(tmpdir(), 'revisions-'))
  #mock: MockServer | undefined
  #files = 0

  file(document: Node, name = `contract-${this.#files++}.json`): string {
    const file = join(this.folder, name)
    writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document))
    return file
  }

  /** The files of our contract and of an edited one. */
  files(name: string): [string, string] {
    return [this.file(documentOf('nothing', OLD)), this.file(documentOf(name, NEW))]
  }

  /** Serves our contract and an edited one. */
  async serve(name: string, options: MockServerOptions = {}): Promise<MockServer> {
    return this.start({ contracts: this.files(name), strict: true, ...options })
  }

  async start(options: MockServerOptions): Promise<MockServer> {
    await this.stop()
    this.#mock = await createMockServer(options)
    return this.#mock
  }

  get mock(): MockServer {
    if (!this.#mock) throw new Error('there is no server')
    return this.#mock
  }

  async call(target: string, options: Options = {}): Promise<Called> {
    const { body, method = body ? 'POST' : 'GET', revision, headers } = options
    const response = await this.mock.fetch(target, {
      method,
      headers: {
        authorization: 'Bearer sk_test_demo',
        'content-type': 'application/json',
        ...(revision !== undefined && { 'x-mock-revision': revision }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    }
  }

  /** Our contract's shape, without a choice. */
  async old(target: string, body?: object): Promise<Node> {
    return (await this.call(target, { ...(body && { body }) })).body
  }

  /** The edited contract's shape. */
  async now(target: string, body?: object): Promise<Node> {
    return (await this.call(target, { revision: NEW, ...(body && { body }) })).body
  }

  async stop(): Promise<void> {
    await this.#mock?.close()
    this.#mock = undefined
  }

  async clean(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true })
  }
}
