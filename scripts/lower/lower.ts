import { object } from '../contract/json.ts'
import type { Contract } from '../contract/load.ts'
import type { Api, Platform, Policy, Refusal } from '../model/types.ts'
import type { Problem } from '../yaml/index.ts'
import { assumptionsOf } from './assumptions.ts'
import { refuseBytesInJson } from './bytes.ts'
import { Context, stabilityOf } from './context.ts'
import { arrangeExamples } from './examples.ts'
import { pathPrefix } from './methods.ts'
import { operationsOf } from './operations.ts'
import { ownersAt } from './owners.ts'
import { prune } from './prune.ts'
import { resourcesOf } from './resources.ts'
import { Schemas } from './schemas.ts'
import { credentialOf } from './security.ts'
import { settleTravel } from './travel.ts'
import { checkEnvelopes, signatureOf, webhooksOf } from './webhooks.ts'

export interface Lowered {
  api: Api
  problems: Problem[]
  /** What `skipUnsupported` took out. */
  removed: string[]
}

export interface LowerOptions {
  platform: Platform
  policy: Policy
  /** What the languages refuse of a whole API. */
  refusals?: (api: Api) => Refusal[]
  /** Leaves out what cannot be expressed instead of failing over it. */
  skipUnsupported?: boolean
}

/** Turns a contract into what the emitters work from. All problems are found in one run. */
export function lower(contract: Contract, options: LowerOptions): Lowered {
  const { platform, policy, skipUnsupported = false } = options
  const context = new Context(contract)
  const schemas = new Schemas(context)
  schemas.declareComponents()
  const operations = operationsOf(context, schemas)
  const webhooks = webhooksOf(context, schemas)
  schemas.declarations.finish()
  refuseBytesInJson(operations, webhooks, schemas.declarations.all(), context)
  const signature = signatureOf(context)
  if (signature) checkEnvelopes(webhooks, schemas.declarations, context)
  else if (webhooks.length > 0) {
    const message = 'how webhooks are signed is not described, so that no SDK verifies them'
    const fix = 'Their payloads are types; x-webhook-signature adds a verifier'
    context.note(context.document, 'webhooks', message, fix)
  }
  const info = object(context.document.info)
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : null)
  const credential = credentialOf(context, policy.headers.authorization)

  const make = (parts: Parts): Api => ({
    title: text(info.title) ?? platform.title,
    version: String(info.version),
    summary: text(info.summary),
    description: text(info.description),
    stability: stabilityOf(context.document, 'stable'),
    platform,
    policy,
    pathPrefix: pathPrefix(Object.keys(object(context.document.paths))),
    credential,
    ...parts,
    decls: settleTravel(parts),
    resources: resourcesOf(parts.operations, context),
    signature,
    assumptions: assumptionsOf(context, parts.operations, parts.webhooks, schemas),
  })
  const whole = { operations, webhooks, decls: schemas.declarations.all() }
  const ownersOf = (pointers: readonly string[]) =>
    pointers.flatMap((pointer) => ownersAt(pointer, operations, schemas.declarations))
  const api = make(whole)
  const bad = new Set([...context.spoilt(), ...ownersOf(contract.broken)])
  // What is refused already is refused once, and not by each language again.
  const refusals = options.refusals?.(bad.size === 0 ? api : make(prune(whole, bad))) ?? []
  for (const { pointer, message, fix } of refusals) context.refuseAt(pointer, message, fix)
  for (const owner of ownersOf(refusals.map(({ pointer }) => pointer))) bad.add(owner)
  const { removed, ...kept } = skipUnsupported ? prune(whole, bad) : { ...whole, removed: [] }
  const made = removed.length === 0 ? api : make(kept)
  arrangeExamples(made)
  return { api: made, problems: context.problems, removed }
}

type Parts = Pick<Api, 'operations' | 'webhooks' | 'decls'>
