/** The control API of a contract: `control.yaml` with the kinds, forms and limits of the contract. */
import { readFile } from 'node:fs/promises'
import { CONTROL, TEMPLATES } from '../assets.ts'
import { object } from '../contract/document.ts'
import { type Contract, loadContract, readPrepared } from '../contract/load.ts'
import type { Bindings } from '../sandbox/bindings.ts'
import { publish, type Templates } from '../sandbox/published.ts'

/** What the control API accepts for a field. */
export interface Limit {
  type?: string | readonly string[]
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface Control {
  contract: Contract
  /** By the names of the fields. */
  limits: Readonly<Record<string, Limit>>
}

/** @param isShipped Whether the contract is that of this package, for which the build prepares it. */
export async function controlOf(bindings: Bindings, isShipped: boolean): Promise<Control> {
  const contract = isShipped
    ? await readPrepared(CONTROL, '')
    : await loadContract((await publishedFor(bindings)).control, '')
  return { contract, limits: limitsOf(contract) }
}

/** The control API and the schemas of seeds and scenarios for a contract. */
export async function publishedFor(bindings: Bindings): Promise<Templates> {
  return publish(JSON.parse(await readFile(TEMPLATES, 'utf8')), bindings)
}

function limitsOf({ description }: Contract): Record<string, Limit> {
  const bodies = description.operations.flatMap(({ body }) => body ?? [])
  const fields = bodies.flatMap(({ schema }) =>
    Object.entries(object(description.resolve(schema).properties)),
  )
  // The first of a name counts: further ones are names of revisions and snapshots.
  const firstLast = fields.reverse()
  return Object.fromEntries(firstLast.map(([name, part]) => [name, description.resolve(part)]))
}
