import { object } from '../contract/json.ts'
import type { Contract } from '../contract/load.ts'
import { current } from '../model/index.ts'
import type { Api, Platform, Policy } from '../model/types.ts'
import type { Problem } from '../yaml/index.ts'
import { assumptionsOf } from './assumptions.ts'
import { refuseBytesInJson } from './bytes.ts'
import { Context, stabilityOf } from './context.ts'
import { arrangeExamples } from './examples.ts'
import { pathPrefix } from './methods.ts'
import { operationsOf } from './operations.ts'
import { ownersAt } from './refusals.ts'
import { resourcesOf } from './resources.ts'
import { Schemas } from './schemas.ts'
import { credentialOf } from './security.ts'
import { serverOf } from './server.ts'
import { settle } from './settle.ts'
import { checkEnvelopes, signatureOf, webhooksOf } from './webhooks.ts'

export interface Lowered {
  /** Everything that the document describes, what cannot be made included. */
  api: Api
  problems: Problem[]
  /** The ids of the operations, events and types that cannot be made. */
  unsupported: ReadonlySet<string>
}

/** Turns a contract into the model, from which the emitters work. Reports all problems in one run. */
export function lower(contract: Contract, platform: Platform, policy: Policy): Lowered {
  const context = new Context(contract)
  const schemas = new Schemas(context)
  schemas.declareComponents()
  const operations = operationsOf(context, schemas)
  const webhooks = webhooksOf(context, schemas)
  schemas.declarations.finish()
  const decls = schemas.declarations.all()
  refuseBytesInJson(operations, webhooks, decls, context)
  const signature = signatureOf(context)
  if (signature) checkEnvelopes(webhooks, schemas.declarations, context)
  else if (webhooks.length > 0) {
    const message =
      'the contract does not describe how webhooks are signed, so no SDK verifies them'
    const fix = 'Their payloads are types; x-webhook-signature adds a verifier'
    context.note(context.document, 'webhooks', message, fix)
  }
  const info = object(context.document.info)
  const prefix = pathPrefix(Object.keys(object(context.document.paths)))
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : null)
  const api: Api = {
    title: text(info.title) ?? platform.title,
    version: String(info.version),
    summary: text(info.summary),
    description: text(info.description),
    stability: stabilityOf(context.document, 'stable'),
    platform,
    policy,
    pathPrefix: prefix,
    server: serverOf(context, prefix),
    credential: credentialOf(context, policy.headers.authorization),
    ...settle({ decls, operations, webhooks }),
    resources: resourcesOf(operations, context),
    operations,
    webhooks,
    signature,
    assumptions: assumptionsOf(context, current(operations), webhooks, schemas),
  }
  arrangeExamples(api)
  const unsupported = new Set([...context.spoilt(), ...ownersAt(contract.broken, api)])
  return { api, problems: context.problems, unsupported }
}
