import { isObject, type Json, list, object, sortedEntries } from '../contract/json.ts'
import type { Credential } from '../model/types.ts'
import type { Context } from './context.ts'

type Scheme = Credential | 'unsupported'

/**
 * How requests carry the key: by the first security scheme that the SDKs speak. An operation that
 * can be called by no such scheme is unsupported.
 *
 * @param authorization The name of the header that HTTP authentication uses.
 */
export function credentialOf(context: Context, authorization: string): Credential | null {
  const { document } = context
  let chosen: Credential | null = null
  for (const [path, node] of sortedEntries(document.paths)) {
    for (const [verb, operation] of sortedEntries(context.resolve(node))) {
      if (!isObject(operation) || !('responses' in operation)) continue
      const alternatives = list(operation.security ?? document.security).map(object)
      const isOpen = alternatives.length === 0 || alternatives.some((one) => isEmpty(one))
      const schemes = alternatives.flatMap((one) => schemesOf(one, context, authorization))
      const usable = schemes.find((scheme) => scheme !== 'unsupported') as Credential | undefined
      context.owner = `${verb.toUpperCase()} ${path}`
      if (!usable && !isOpen) {
        const fix = 'Offer bearer or basic authentication, or a key in a header'
        context.unsupported(operation, undefined, 'no SDK can authenticate this operation', fix)
      } else if (chosen && usable && !equal(chosen, usable)) {
        const message = `this operation takes its key differently from the others`
        context.unsupported(operation, 'security', message, 'Use one security scheme for all')
      }
      chosen ??= usable ?? null
    }
  }
  context.owner = null
  return chosen
}

function schemesOf(requirement: Json, context: Context, authorization: string): Scheme[] {
  const names = Object.keys(requirement)
  if (names.length !== 1) return names.length === 0 ? [] : ['unsupported']
  const schemes = object(object(context.document.components).securitySchemes)
  return [schemeOf(context.resolve(schemes[names[0] ?? '']), authorization)]
}

function schemeOf(scheme: Json, authorization: string): Scheme {
  const name = String(scheme.scheme ?? '').toLowerCase()
  if (scheme.type === 'apiKey' && scheme.in === 'header') {
    return { header: String(scheme.name).toLowerCase(), prefix: '' }
  }
  if (scheme.type === 'http' && name === 'basic') return { header: authorization, prefix: 'Basic ' }
  const isBearer = scheme.type === 'http' && name === 'bearer'
  return isBearer || scheme.type === 'oauth2' || scheme.type === 'openIdConnect'
    ? { header: authorization, prefix: 'Bearer ' }
    : 'unsupported'
}

function isEmpty(requirement: Json): boolean {
  return Object.keys(requirement).length === 0
}

function equal(a: Credential, b: Credential): boolean {
  return a.header === b.header && a.prefix === b.prefix
}
