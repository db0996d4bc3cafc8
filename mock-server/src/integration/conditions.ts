/** Decides whether a change hits a recorded call or event. */
import type { Side } from '@support-chat/scripts/changes'
import { object } from '../contract/document.ts'
import type { Reason } from '../door/problem.ts'
import type { Evidence, Seen } from './evidence.ts'
import type { Call } from './exchanges.ts'
import type { Known } from './upgrade.ts'

/** What is known of a call or an event. */
export interface Facts {
  /** Null for an event. */
  call: Call | null
  /** Whether the response is an error. */
  isError: boolean
  /** What the data shows of the old contract, and of the new one. */
  before: Evidence
  after: Evidence
  /** Why the new contract refuses the call, and the old one does not. */
  refusals: readonly Reason[]
  now: Side
}

type Condition = (known: Known, facts: Facts) => boolean

const always: Condition = () => true

/** By kinds of changes; the first that matches counts. Only those that break somebody who stays come here. */
const CONDITIONS: ReadonlyArray<readonly [RegExp, Condition]> = [
  [
    /^(query|header)-parameter-(default-changed|added-required|became-required)$/,
    (known, facts) => sent(known, facts) === undefined,
  ],
  [
    /^(query|header|path)-parameter-(type-changed|tightened)$/,
    (known, { refusals }) => refusals.some(({ parameter }) => isName(known, parameter)),
  ],
  [/^(query|header)-parameter-/, (known, facts) => sent(known, facts) !== undefined],
  [
    /^pagination-limit-lowered$/,
    (_, { refusals }) => refusals.some(({ in: part }) => part === 'query'),
  ],
  [/^pagination-(cursor|limit)-parameter-renamed$/, sendsBefore],
  [/^idempotency-/, sendsKey],
  [/^request-body-(added|became)-required$/, (_, { call }) => !call?.recorded.body?.length],
  [/^request-(body-removed|content-type-changed)$/, (_, { call }) => !!call?.recorded.body?.length],
  [/^request-field-default-changed$/, lacks],
  [/^request-field-(removed|optional-renamed)$/, shows],
  [/^request-/, isRefused],
  [/^error-format-changed$/, (_, { isError }) => isError],
  [/^error-/, (known, facts) => facts.isError && shows(known, facts)],
  [
    /^response-(body-removed|content-type-changed|type-changed)$|^pagination-/,
    (_, { isError }) => !isError,
  ],
  [/-enum-value-renamed$/, showsValue],
  [/-union-tag-value-changed$/, showsTag],
  [/^(response|page)-/, (known, facts) => !facts.isError && shows(known, facts)],
  [/^event-(field|enum|literal|union|variant|map)-/, shows],
  [/./, always],
]

export function isHit(known: Known, facts: Facts): boolean {
  const [, condition = always] = CONDITIONS.find(([kind]) => kind.test(known.change.kind)) ?? []
  return condition(known, facts)
}

/** The values at the changed part. */
function seen({ part }: Known, { before, after }: Facts): Seen[] {
  return [
    ...((part.before !== null && before.get(part.before)) || []),
    ...((part.after !== null && after.get(part.after)) || []),
  ]
}

function shows(known: Known, facts: Facts): boolean {
  return seen(known, facts).length > 0
}

/** Whether an object lacks the changed field. */
function lacks({ part }: Known, { before, after }: Facts): boolean {
  const pairs = [[part.before, before] as const, [part.after, after] as const]
  return pairs.some(([pointer, evidence]) => {
    const field = fieldOf(pointer)
    const objects = (field && evidence.get(field.owner)) ?? []
    return objects.some(({ value }) => field && !Object.hasOwn(object(value), field.name))
  })
}

/** Whether the new contract refuses what is at the changed part, or that something is missing there. */
function isRefused(known: Known, facts: Facts): boolean {
  const { part } = known
  const locations = seen(known, facts).map(({ at }) => at)
  const fields = [[part.before, facts.before] as const, [part.after, facts.after] as const].flatMap(
    ([pointer, evidence]) => {
      const field = fieldOf(pointer)
      const owners = (field && evidence.get(field.owner)) ?? []
      return owners.map(({ at }) => ({ at, name: field?.name ?? '' }))
    },
  )
  return facts.refusals.some(({ pointer, code, message }) => {
    if (pointer === undefined) return false
    const isAt = (at: string) => pointer === at || pointer.startsWith(`${at}/`)
    const isClosed = code === 'additionalProperties' || code === 'unevaluatedProperties'
    return (
      locations.some(isAt) ||
      fields.some(({ at, name }) =>
        isClosed ? pointer === at && message.includes(`'${name}'`) : isAt(`${at}/${name}`),
      )
    )
  })
}

function showsValue(known: Known, facts: Facts): boolean {
  const { renamed } = known.change
  return seen(known, facts).some(({ value }) => String(value) === renamed?.from)
}

/** Whether a variant has a tag that the new contract does not have. */
function showsTag(known: Known, facts: Facts): boolean {
  const { part } = known
  const union = facts.now.api.decls.find(({ pointer }) => pointer === part.after)
  const tag = union?.kind === 'union' ? union.tag : null
  return seen(known, facts).some(
    ({ value }) => !tag || !Object.hasOwn(tag.mapping, String(object(value)[tag.property])),
  )
}

/** The value that a call sends in the changed parameter, under its old name. */
function sent({ change, part }: Known, { call }: Facts): string | undefined {
  if (part.subject.of !== 'parameter') return undefined
  const name = change.renamed?.from ?? part.subject.parameter.wire
  return change.kind.startsWith('header-')
    ? call?.recorded.headers[name.toLowerCase()]
    : call?.query.get(name)
}

function isName({ part }: Known, parameter: string | undefined): boolean {
  return (
    part.subject.of === 'parameter' &&
    part.subject.parameter.wire.toLowerCase() === parameter?.toLowerCase()
  )
}

function sendsBefore({ part }: Known, { call }: Facts): boolean {
  return call?.query.has(part.values?.before ?? '') === true
}

function sendsKey({ part }: Known, { call }: Facts): boolean {
  if (part.subject.of !== 'operation') return false
  const { header } = part.subject.operation.idempotency ?? {}
  return header !== undefined && call?.recorded.headers[header.toLowerCase()] !== undefined
}

function fieldOf(pointer: string | null): { owner: string; name: string } | null {
  const [, owner = '', name = ''] = /^(.*)\/properties\/([^/]*)$/.exec(pointer ?? '') ?? []
  return owner === '' ? null : { owner, name: name.replaceAll('~1', '/').replaceAll('~0', '~') }
}
