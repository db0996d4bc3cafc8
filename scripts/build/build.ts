import { object } from '../contract/json.ts'
import type { Contract } from '../contract/load.ts'
import type { Problem } from '../contract/problem.ts'
import type { Api, Platform, Policy } from '../model/types.ts'
import { assumptionsOf } from './assumptions.ts'
import { Context, stabilityOf } from './context.ts'
import { arrangeExamples } from './examples.ts'
import { pathPrefix } from './methods.ts'
import { operationsOf } from './operations.ts'
import { prune } from './prune.ts'
import { resourcesOf } from './resources.ts'
import { Schemas } from './schemas.ts'
import { credentialOf } from './security.ts'
import { checkEnvelopes, signatureOf, webhooksOf } from './webhooks.ts'

export interface Built {
  api: Api
  problems: Problem[]
  /** What `skipUnsupported` took out. */
  removed: string[]
}

export interface BuildOptions {
  platform: Platform
  policy: Policy
  /** Leaves out what cannot be expressed instead of failing over it. */
  skipUnsupported?: boolean
}

/** Turns a contract into what the emitters work from. All problems are found in one run. */
export function build(contract: Contract, options: BuildOptions): Built {
  const { platform, policy, skipUnsupported = false } = options
  const context = new Context(contract)
  const schemas = new Schemas(context)
  schemas.declareComponents()
  const operations = operationsOf(context, schemas)
  const webhooks = webhooksOf(context, schemas)
  schemas.declarations.finish()
  const signature = signatureOf(context)
  if (signature) checkEnvelopes(webhooks, schemas.declarations, context)
  else if (webhooks.length > 0) {
    const message = 'how webhooks are signed is not described, so that no SDK verifies them'
    const fix = 'Their payloads are types; x-webhook-signature adds a verifier'
    context.note(context.document, 'webhooks', message, fix)
  }
  const credential = credentialOf(context, policy.headers.authorization)

  const whole = { operations, webhooks, decls: schemas.declarations.all() }
  const unsupported = context.problems.filter(({ severity }) => severity === 'unsupported')
  const owners = new Set(unsupported.flatMap(({ owner }) => owner ?? []))
  const kept = skipUnsupported ? prune(whole, owners) : { ...whole, removed: [] }

  const info = object(context.document.info)
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : null)
  const api: Api = {
    title: text(info.title) ?? platform.title,
    summary: text(info.summary),
    description: text(info.description),
    stability: stabilityOf(context.document, 'stable'),
    platform,
    policy,
    pathPrefix: pathPrefix(Object.keys(object(context.document.paths))),
    credential,
    decls: kept.decls,
    resources: resourcesOf(kept.operations, context),
    operations: kept.operations,
    webhooks: kept.webhooks,
    signature,
    assumptions: assumptionsOf(context, kept.operations, kept.webhooks, schemas),
  }
  arrangeExamples(api)
  return { api, problems: context.problems, removed: kept.removed }
}
