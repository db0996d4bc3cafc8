import type { Body } from '../door/body.ts'
import type { HttpRequest } from '../door/message.ts'
import type { Reason } from '../door/problem.ts'
import type { Target } from '../door/target.ts'
import type { Operation } from './load.ts'
import { checkHeaders, checkQuery } from './parameters.ts'
import type { PrismOperation, PrismRequest } from './prism.ts'

/** A request whose target, credentials and body have been checked. */
export interface CleanRequest {
  target: Target
  headers: Record<string, string | undefined>
  body: Body | undefined
  isRepeated?: HttpRequest['isRepeated']
}

/** A finding of a validator. */
export interface Finding {
  /** The part of the request, and the path to the value in it. */
  path?: readonly (string | number)[]
  code?: string | number
  message: string
  /** 1 for a warning. */
  severity?: number
}

/** Validates a request against the schemas of its operation. */
export type Check = (operation: Operation, request: CleanRequest) => Finding[] | Promise<Finding[]>

/** Prism's own verdict. */
export const byPrism: Check = async (operation, request) => {
  // Loaded here, since it is most of the program and a sandbox hardly needs it.
  const { validateRequest } = await import('./prism.ts')
  const { path, basePath, prism } = operation
  // Prism reads the parameters out of a path that is still encoded.
  const template = path.slice(basePath.length)
  const resource = template === prism.path ? prism : { ...prism, path: template }
  return validateRequest(resource, toPrism(operation, request))
}

/** What is wrong with a request. */
export interface Verdict {
  /** Every reason why it is invalid; empty if it is valid. */
  errors: Reason[]
  warnings: Reason[]
}

export async function validate(
  operation: Operation,
  request: CleanRequest,
  check: Check = byPrism,
): Promise<Verdict> {
  const { query = [], headers = [], path = [] } = operation.prism.request ?? {}
  const keys = operation.security.flat().flatMap((scheme) => ('name' in scheme ? scheme.name : []))
  const ours = [
    ...checkQuery(query, request.target.query, keys).filter(
      ({ code }) => !(operation.ignoresUnknown && code === 'unknown'),
    ),
    ...checkHeaders(headers, request.headers, request.isRepeated ?? (() => false)),
  ]
  const found = await checked(operation, request, check)
  if (found.length === 0) return { errors: ours, warnings: [] }
  const known = new Set(ours.map(({ in: part, parameter }) => `${part} ${parameter}`))
  const declared = [...query, ...headers, ...path]
  const reasonsOf = (findings: Finding[]) =>
    findings
      // A failed condition says less than the failure inside it.
      .filter(({ code }) => code !== 'if')
      .map((finding) => toReason(finding, declared))
      .filter(({ in: part, parameter }) => !known.has(`${part} ${parameter}`))
  return {
    errors: [...ours, ...reasonsOf(found.filter((one) => one.severity !== WARNING))],
    warnings: reasonsOf(found.filter((one) => one.severity === WARNING)),
  }
}

const WARNING = 1

/**
 * A regular expression of a schema fails by itself if a value is far too long for it. Prism fails where a
 * path is not in the style of its parameter.
 */
async function checked(operation: Operation, request: CleanRequest, check: Check) {
  try {
    return await check(operation, request)
  } catch (error) {
    if (error instanceof RangeError) {
      return [{ path: ['body'], code: 'pattern', message: 'has a value that is too long to check' }]
    }
    const { message } = error as Error
    if (!/serialization style requires/.test(message)) throw error
    return [{ path: ['path'], code: 'style', message: `is not as the contract says: ${message}` }]
  }
}

function toPrism(
  { basePath, prism }: Operation,
  { target, headers, body }: CleanRequest,
): PrismRequest {
  const names = new Set((prism.request?.query ?? []).map(({ name }) => name.toLowerCase()))
  const query: Record<string, string | string[]> = {}
  for (const [name, value] of target.query) {
    // Prism compares names without case, the contract does not.
    if (names.has(name.toLowerCase()) && !prism.request?.query?.some((p) => p.name === name))
      continue
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  const declared = (prism.request?.headers ?? []).map(({ name }) => name.toLowerCase())
  const passed = Object.entries(headers).filter(
    (entry): entry is [string, string] => declared.includes(entry[0]) && entry[1] !== undefined,
  )
  return {
    method: prism.method as PrismRequest['method'],
    url: { path: pathFor(prism, target.path.slice(basePath.length)), query },
    headers: { ...Object.fromEntries(passed), ...(body && { 'content-type': body.contentType }) },
    body: body?.value,
  }
}

/** Prism splits values at commas, even if the parameter is not a list. */
function pathFor({ path: template, request }: PrismOperation, path: string): string {
  const isList = request?.path?.some(({ schema }) => [schema?.type].flat().includes('array'))
  return isList || template.includes(',') ? path : path.replaceAll(',', '%2C')
}

function toReason(finding: Finding, declared: { name: string }[]): Reason {
  const { path = [], code, message } = finding
  const [part = 'body', ...steps] = path.map(String)
  const noun = part === 'body' ? 'property' : 'parameter'
  const location = steps.length > 0 ? `${noun} ${steps.join('.').trim()} ` : ''
  // Only the text names a missing property.
  const missing = code === 'required' ? /required property '(.*)'$/.exec(message)?.[1] : undefined
  const reason = {
    in: part as Reason['in'],
    code: String(code ?? 'invalid'),
    message: missing ? 'is required' : message.replace(`Request ${part} ${location}`, ''),
  }
  if (part !== 'body') {
    const name = steps[0] ?? missing ?? ''
    // Prism lowercases the names of parameters.
    const meant = declared.find((one) => one.name.toLowerCase() === name.toLowerCase())
    return { ...reason, parameter: meant?.name ?? name }
  }
  const last = missing?.replaceAll('~', '~0').replaceAll('/', '~1') ?? []
  return {
    ...reason,
    pointer: [...steps, last]
      .flat()
      .map((step) => `/${step}`)
      .join(''),
  }
}
