import type { Finding } from '../../changes/compare/findings.ts'
import { type Pair, pairOperations } from '../../changes/compare/operations.ts'
import { Side } from '../../changes/compare/side.ts'
import type { Revision } from '../../changes/revision.ts'
import {
  type Call,
  callThatShows,
  type Given,
  type Scalar,
  type Shown,
} from '../../emit/core/examples.ts'
import type { Snippet, Source, Step, Use } from '../../emit/core/snippets.ts'
import { problemOf } from '../../model/index.ts'
import { inTurn } from '../../model/turns.ts'
import type { Field, Operation, TypeRef } from '../../model/types.ts'
import { routeTo, type Target, variantsOf } from './routes.ts'

/** What users write before and after a change: a snippet, or nothing where the part is not there. */
export interface Shows {
  before: Snippet | null
  after: Snippet | null
}

type When = keyof Shows
const TIMES = ['before', 'after'] as const

/** No code in a few lines shows the part. */
const NONE = Symbol('no code')
type Found = Snippet | null | typeof NONE

/** Changes that the same code survives and no code shows. */
const UNSEEN = /^(?:page-field|policy|security|server|signature|header|name)-|-literal-changed$/

/** Finds code that shows changes. */
export class Snippets {
  readonly #sides: Record<When, Side>
  readonly #pairs: readonly Pair[]

  constructor(before: Revision, after: Revision) {
    this.#sides = { before: new Side(before), after: new Side(after) }
    this.#pairs = pairOperations(this.#sides.before, this.#sides.after)
  }

  /** The code before and after a change; null where only words can show it. */
  of(finding: Finding): Shows | null {
    if (UNSEEN.test(finding.kind) && !finding.kind.startsWith('header-parameter-')) return null
    const [before, after] = TIMES.map((when) => this.#at(when, finding))
    if (before === NONE || after === NONE || (!before && !after)) return null
    return { before: before ?? null, after: after ?? null }
  }

  #at(when: When, finding: Finding): Found {
    const { subject } = finding
    const direction = /^(request|response|error|event)-/.exec(finding.kind)?.[1] ?? null
    switch (subject.of) {
      case 'operation':
        return direction === 'error' ? NONE : this.#operation(when, finding, subject.operation)
      case 'parameter':
        return this.#parameter(when, finding, subject)
      case 'field':
        if (finding[when] === null && direction !== 'request') return null
        if (direction === 'request') return this.#sent(when, finding, subject.field.wire)
        return under(
          when === 'before' ? subject.field : null,
          this.#read(when, { of: 'field', pointer: finding[when] ?? '' }, finding),
        )
      case 'value':
        return this.#value(when, finding, subject)
      case 'type':
        return this.#type(when, finding, direction)
      case 'event':
        return this.#event(when, finding)
      case 'other':
        return NONE
    }
  }

  #operation(when: When, finding: Finding, subject: Operation): Found {
    const pointer = finding[when]
    if (pointer === null) return null
    const { operations } = this.#sides[when].api
    const operation =
      finding.named === when ? subject : operations.find((one) => one.pointer === pointer)
    if (!operation) return NONE
    const { index } = this.#sides[when]
    const body = operation.body && index.model(operation.body.type)
    const isAboutBody = /^request-body-(?!added)/.test(finding.kind)
    const fields =
      body && isAboutBody
        ? index.fields(body).filter(({ presence }) => presence === 'required')
        : []
    const limit = finding.kind.startsWith('pagination-limit-') ? operation.page?.limitParam : null
    const cursor = finding.kind.startsWith('pagination-cursor-p')
      ? operation.page?.cursorParam
      : null
    return this.#call(when, operation, {
      fields: fields.map(({ wire }) => wire),
      parameters: [limit, cursor].filter((name) => typeof name === 'string'),
    })
  }

  #parameter(
    when: When,
    finding: Finding,
    { operation, parameter }: Extract<Finding['subject'], { of: 'parameter' }>,
  ): Found {
    const own = finding.named === when ? operation : this.#partner(operation, when)
    if (!own) return NONE
    const wire = when === 'after' ? (finding.renamed?.to ?? parameter.wire) : parameter.wire
    const parameters = isLeftOut(when, finding) ? [] : [wire]
    return this.#call(when, own, { parameters }, defaultOf(finding))
  }

  /** A call that sends a field at the top of its body. */
  #sent(when: When, finding: Finding, wire: string): Found {
    const { index } = this.#sides[when]
    const pointers = TIMES.map((time) => finding[time])
    for (const pair of this.#pairs) {
      const bodies = TIMES.map((time) => bodiesOf(pair[time], this.#sides[time]))
      const at = bodies.map((some, time) =>
        some.find(({ fields }) => fields.some(({ pointer }) => pointer === pointers[time])),
      )
      const known = at.find((body) => body !== undefined)
      if (!known || at.some((body, time) => !body && pointers[time] !== null)) continue
      const [variant] = [at[when === 'before' ? 0 : 1]?.variant ?? known.variant]
      const to = when === 'after' ? (finding.renamed?.to ?? wire) : wire
      const fields = isLeftOut(when, finding) ? requiredOf(pair[when], index) : [to]
      const shown = { fields, ...(variant !== null && { variant }) }
      return this.#call(when, pair[when], shown, defaultOf(finding))
    }
    return NONE
  }

  #value(
    when: When,
    finding: Finding,
    { decl, value }: Extract<Finding['subject'], { of: 'value' }>,
  ): Found {
    const { index, api } = this.#sides[when]
    const isOwn = finding.named === when
    const own = isOwn ? decl : api.decls.find(({ pointer }) => pointer === finding[when])
    const wanted = isOwn ? value : (finding.renamed?.to ?? value)
    const enumeration = own?.kind === 'enum' ? own : null
    const known = enumeration?.values.find((one) => String(one) === String(wanted))
    if (!enumeration || known === undefined) return null
    if (!finding.kind.startsWith('request-')) {
      const use: Use = { of: 'compare', decl: enumeration, value: known }
      return this.#read(when, { of: 'type', id: enumeration.id }, finding, use)
    }
    const shown = { value: { id: enumeration.id, value: known } }
    for (const { [when]: operation } of this.#pairs) {
      const call = this.#callOf(when, operation, shown)
      const given = [...(call?.query ?? []), ...(call?.body?.fields ?? []), ...(call?.path ?? [])]
      const isGiven = given.some(({ type }) => index.target(type)?.id === enumeration.id)
      if (call && isGiven) return show(call)
    }
    return NONE
  }

  #type(when: When, finding: Finding, direction: string | null): Found {
    const { api, index } = this.#sides[when]
    const decl = api.decls.find(({ pointer }) => pointer === finding[when])
    if (!decl) return finding[when] === null ? null : NONE
    const named = finding.values?.[when]
    if (/-(?:variant|union-tag)-/.test(finding.kind)) {
      if (decl.kind !== 'union') return NONE
      const variants = variantsOf(decl, index)
      if (variants.length === 0) return NONE
      const isWhole = /-tag-(?:renamed|removed)$/.test(finding.kind)
      const chosen = variants.find(
        ({ value, model }) => isWhole || [value, model.id].includes(named ?? ''),
      )
      if (!chosen) return null
      const { id } = chosen.model
      if (direction === 'request') return this.#variant(when, decl.id, id)
      return this.#read(when, { of: 'variant', union: decl.id, id }, finding)
    }
    if (!finding.kind.startsWith('type-')) return NONE
    return this.#read(when, { of: 'type', id: decl.id }, finding, { of: 'store' })
  }

  #variant(when: When, union: string, variant: string): Found {
    const { index } = this.#sides[when]
    for (const { [when]: operation } of this.#pairs) {
      if (!operation.body || index.target(operation.body.type)?.id !== union) continue
      return this.#call(when, operation, { variant })
    }
    return NONE
  }

  #event(when: When, finding: Finding): Found {
    const { api, index } = this.#sides[when]
    const webhook = api.webhooks.find(({ event }) =>
      finding[when]?.endsWith(`/${event.replaceAll('/', '~1')}`),
    )
    if (!webhook) return finding[when] === null ? null : NONE
    const payload = index.model(webhook.payload)
    const data = payload && index.fields(payload).find(({ wire }) => wire === 'data')
    if (!payload || !data) return NONE
    const source = { of: 'event', webhook, payload } as const
    return { source, steps: [{ of: 'field', field: data }], use: { of: 'show', fields: [] } }
  }

  /** Reads a part of what a call or an event brings. The pair of operations is the same on both sides. */
  #read(when: When, target: Target, finding: Finding, use?: Use): Found {
    const isSame = finding.before !== null && finding.after !== null && !finding.renamed
    const how = use ?? (isSame ? ({ of: 'store' } as const) : ({ of: 'show', fields: [] } as const))
    const routes = this.#sources(when, finding).flatMap(({ source, root, name }) => {
      const steps = routeTo(root, name, target, this.#sides[when].index)
      return steps ? [{ source, steps }] : []
    })
    const [best] = routes.sort((a, b) => a.steps.length - b.steps.length)
    if (!best) return NONE
    return {
      ...best,
      use: target.of === 'variant' ? showVariant(best.steps, this.#sides[when]) : how,
    }
  }

  /** Where data comes from in the direction of a change. */
  #sources(when: When, { kind }: Finding): Origin[] {
    const { api, index } = this.#sides[when]
    if (kind.startsWith('event-')) {
      return inTurn(api.webhooks).flatMap((webhook) => {
        const payload = index.model(webhook.payload)
        const source = payload && ({ of: 'event', webhook, payload } as const)
        return source ? [{ source, root: webhook.payload, name: ['event'] }] : []
      })
    }
    const operations = inTurn(this.#pairs.map((pair) => pair[when]))
    const calls = operations.flatMap((operation) => this.#callOf(when, operation, {}) ?? [])
    if (kind.startsWith('error-')) {
      const problem = problemOf(api)
      if (!problem) return []
      const root = { kind: 'ref', id: problem.id } as const
      return calls.map((call) => ({ source: { of: 'problem', call, problem }, root, name: [] }))
    }
    return calls.flatMap((call): Origin[] => {
      const { page, result } = call.operation
      const [root, ...others] = page ? [page.item] : result.types
      const isOne = root && others.length === 0 && !result.optional && result.format === 'json'
      return isOne ? [{ source: { of: 'call', call }, root, name: call.noun }] : []
    })
  }

  #partner(operation: Operation, when: When): Operation | undefined {
    const other = when === 'before' ? 'after' : 'before'
    return this.#pairs.find((pair) => pair[other] === operation)?.[when]
  }

  #call(when: When, operation: Operation, shown: Shown, value?: Scalar): Found {
    const call = this.#callOf(when, operation, shown)
    if (!call) return NONE
    return show(value === undefined ? call : withValue(call, shown, value))
  }

  #callOf(when: When, operation: Operation, shown: Shown): Call | null {
    return callThatShows(operation, this.#sides[when].api.decls, shown)
  }
}

/** What reads a field, by the name that the change gives it: SDKs may have several. */
function under(field: Field | null, found: Found): Found {
  if (field === null || found === null || found === NONE) return found
  return { ...found, steps: found.steps.with(-1, { of: 'field', field }) }
}

/** Whether a call does not give what a change is about. */
function isLeftOut(when: When, finding: Finding): boolean {
  const isNew = /-(?:became-required|default-changed)$/.test(finding.kind)
  return finding[when] === null || (when === 'before' && isNew)
}

/** The old default, which users give from now on. */
function defaultOf({ kind, values }: Finding): Scalar | undefined {
  if (!kind.endsWith('-default-changed')) return undefined
  const told = values?.before
  const value: unknown = told === undefined || told === 'none' ? undefined : JSON.parse(told)
  return ['string', 'number', 'boolean'].includes(typeof value) ? (value as Scalar) : undefined
}

function withValue(call: Call, { parameters = [], fields = [] }: Shown, value: Scalar): Call {
  const wires = new Set([...parameters, ...fields])
  const give = (given: Given): Given => (wires.has(given.wire) ? { ...given, value } : given)
  const { query, body } = call
  return {
    ...call,
    query: query.map(give),
    body: body && { ...body, fields: body.fields.map(give) },
  }
}

interface Origin {
  source: Source
  root: TypeRef
  name: readonly string[]
}

function show(call: Call): Snippet {
  return { source: { of: 'call', call }, steps: [], use: { of: 'show', fields: call.shown } }
}

/** The first field of a variant besides its tag, else the variant. */
function showVariant(steps: readonly Step[], { index }: Side): Use {
  const last = steps.at(-1)
  const fields = last?.of === 'variant' ? index.fields(last.model) : []
  const shown = fields.filter(({ type, presence }) => {
    return type.kind !== 'literal' && presence === 'required'
  })
  return { of: 'show', fields: shown.slice(0, 1) }
}

/** The objects that the body of an operation may be, with their fields. */
function bodiesOf({ body }: Operation, { index }: Side) {
  const target = body ? index.target(body.type) : undefined
  if (target?.kind === 'model') return [{ variant: null, fields: index.fields(target) }]
  if (target?.kind !== 'union') return []
  return variantsOf(target, index).map(({ model }) => {
    return { variant: model.id, fields: index.fields(model) }
  })
}

function requiredOf({ body }: Operation, index: Side['index']): string[] {
  const model = body ? index.model(body.type) : undefined
  const fields = model ? index.fields(model) : []
  return fields.filter(({ presence }) => presence === 'required').map(({ wire }) => wire)
}
