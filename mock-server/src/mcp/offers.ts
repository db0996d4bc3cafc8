/** What a sandbox offers to an agent, as its contract is now. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { type Page, readPages } from './docs.ts'
import { documentsOf } from './documents.ts'
import { kitOf } from './kit.ts'
import { type Prompts, promptsOf } from './prompts.ts'
import { type Resources, resourcesOf } from './resources.ts'
import type { Sandbox } from './sandbox.ts'
import { type Tool, toolsOf } from './tools.ts'

export interface Offer {
  title: string
  tools: ReadonlyMap<string, Tool>
  resources: Resources
  prompts: Prompts
}

/** Keeps the tools of the control API apart from those of the contract. */
export const PREFIX = 'sandbox_'

/** How often a server with a connection looks for an edited contract, in milliseconds. */
const EVERY = 1_000

export class Offers {
  readonly #sandbox: Sandbox
  readonly #pages: readonly Page[]
  #tag: string | null = null
  #latest: Offer | undefined
  #reading: Promise<Offer> | undefined

  private constructor(sandbox: Sandbox, pages: readonly Page[]) {
    this.#sandbox = sandbox
    this.#pages = pages
  }

  /** @throws What keeps the sandbox from responding. */
  static async of(sandbox: Sandbox): Promise<Offers> {
    const offers = new Offers(sandbox, await readPages())
    await offers.#read()
    return offers
  }

  /** Reads the contract again if it was edited. What cannot be read leaves all as it is. */
  current(): Promise<Offer> {
    this.#reading ??= this.#read()
      .catch((error) => {
        if (this.#latest) return this.#latest
        throw error
      })
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  /** Tells the client of a server when the tools have changed, until it is stopped. */
  announce(server: Server): () => void {
    let known = this.#latest
    const timer = setInterval(async () => {
      const offer = await this.current()
      // Nobody listens before the client has introduced itself.
      if (offer === known || !server.getClientVersion()) return
      known = offer
      await server.sendToolListChanged().catch(() => {})
    }, EVERY)
    timer.unref()
    return () => clearInterval(timer)
  }

  async #read(): Promise<Offer> {
    const init = this.#tag === null ? {} : { headers: { 'if-none-match': this.#tag } }
    const response = await this.#sandbox.send('/openapi.yaml', init)
    const text = await response.text()
    if (this.#latest && !response.ok) return this.#latest
    this.#latest = await this.#offerOf(text)
    this.#tag = response.headers.get('etag')
    return this.#latest
  }

  async #offerOf(text: string): Promise<Offer> {
    const [sandbox, pages] = [this.#sandbox, this.#pages]
    const documents = await documentsOf(text)
    const kit = kitOf(sandbox, pages)
    const taken = new Set(kit.map(({ definition }) => definition.name))
    const tools = [
      ...kit,
      ...toolsOf(documents.control, PREFIX, sandbox, taken),
      ...toolsOf(documents.contract, '', sandbox, taken),
    ]
    return {
      title: documents.contract.description.title,
      tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
      resources: resourcesOf(documents, pages, sandbox),
      prompts: promptsOf(pages, sandbox),
    }
  }
}
