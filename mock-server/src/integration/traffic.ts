/** Which recorded calls and events a change of the contract breaks. */
import {
  type Audience,
  type Change,
  EFFECTS,
  type Effect,
  LANGUAGES,
  type Language,
} from '@support-chat/scripts/changes'
import type { Operation } from '../contract/load.ts'
import type { Reason } from '../door/problem.ts'
import { type Facts, isHit } from './conditions.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { type Call, type Happened, meetings, refusalsOf } from './exchanges.ts'
import { readTraffic } from './har.ts'
import type { Upgrade } from './upgrade.ts'

/** A recorded call or event that a change breaks. */
export interface TrafficHit {
  /** Its number in the file, from 1. */
  entry: number
  /** `GET /v1/things/7 → 200`, or `event thing.created`. */
  what: string
  /** That of the SDK that made the call; null where it is not known. */
  language: Language | null
  effect: Effect
}

export interface Refused {
  entry: number
  what: string
  /** Why, without values of the call. */
  reason: string
}

export interface TrafficReport {
  file: string
  calls: number
  events: number
  /** Requests and events that the old contract does not have. */
  unknown: string[]
  unreadable: string[]
  /** By the fingerprint of the change. */
  hits: Map<string, TrafficHit[]>
  /** Calls that the new contract refuses though no change says so. */
  refused: Refused[]
}

const NOTHING: Evidence = new Map()

/** @throws {UnusableInput} */
export async function checkTraffic(upgrade: Upgrade, file: string): Promise<TrafficReport> {
  const { recorded, unreadable } = await readTraffic(file)
  const meet = meetings(upgrade.before.contract)
  const report: TrafficReport = {
    file,
    calls: 0,
    events: 0,
    unknown: [],
    unreadable,
    hits: new Map(),
    refused: [],
  }
  const seenEvents = new Set<string>()
  for (const one of recorded) {
    const met = meet(one)
    if (met.is === 'unknown') {
      report.unknown.push(`${one.method} ${one.url.host}${withoutTokens(one.url.pathname)}`)
    } else if (met.is === 'call') {
      report.calls++
      await checkCall(met.call, upgrade, report)
    } else if (!seenEvents.has(met.event.id ?? '')) {
      // Further attempts bring the same event again.
      if (met.event.id !== null) seenEvents.add(met.event.id)
      report.events++
      checkEvent(met.event, upgrade, report)
    }
  }
  return report
}

async function checkCall(call: Call, upgrade: Upgrade, report: TrafficReport): Promise<void> {
  const { before, after, pairs } = upgrade
  const { recorded, operation, language } = call
  const id = idOf(operation)
  const pair = pairs.find((one) => one.before.id === id)
  const next = pair && after.contract.operations.find((one) => idOf(one) === pair.after.id)
  const refusals = next && pair.after.id === id ? await newRefusals(call, operation, next) : []
  const evidence = (side: typeof before.side, pointer: string | undefined): Evidence => {
    if (pointer === undefined) return NOTHING
    const declared = declaredAt(side.at(`${pointer}/responses`), recorded.status)
    return merged([
      call.body === undefined ? NOTHING : evidenceOf(side, `${pointer}/requestBody`, call.body),
      call.response === undefined || declared === undefined
        ? NOTHING
        : evidenceOf(side, `${pointer}/responses/${declared}`, call.response),
    ])
  }
  const old = before.revision.api.operations.find((one) => one.id === id)
  const facts: Facts = {
    call,
    isError: recorded.status >= 400 || recorded.status === 0,
    before: evidence(before.side, old?.pointer),
    after: evidence(after.side, pair?.after.pointer),
    refusals,
    now: after.side,
  }
  const found = { entry: recorded.entry, what: told(call), language }
  const users = new Set([id, pair?.after.id])
  const effects = collect(upgrade, facts, 'stay', (user) => users.has(user), found, report)
  const [reason] = refusals
  if (reason && !effects.includes('rejected')) {
    report.refused.push({ entry: found.entry, what: found.what, reason: inWords(reason) })
  }
}

function checkEvent(event: Happened, upgrade: Upgrade, report: TrafficReport): void {
  const { before, after, changes } = upgrade
  const { kind, body, recorded } = event
  const renamed = changes.find(({ change }) => {
    return change.kind === 'event-renamed' && change.renamed?.from === kind
  })
  const next = renamed?.change.renamed?.to ?? kind
  const evidence = (side: typeof before.side, name: string) =>
    evidenceOf(side, `/webhooks/${escaped(name)}/post/requestBody`, body)
  const facts: Facts = {
    call: null,
    isError: false,
    before: evidence(before.side, kind),
    after: evidence(after.side, next),
    refusals: [],
    now: after.side,
  }
  const found = { entry: recorded.entry, what: `event ${kind}`, language: null }
  const users = new Set([`webhook ${kind}`, `webhook ${next}`])
  collect(upgrade, facts, 'receive', (user) => users.has(user), found, report)
}

/** Adds the changes that hit a call or an event, and returns their effects. */
function collect(
  { changes }: Upgrade,
  facts: Facts,
  audience: Audience,
  concerns: (user: string) => boolean,
  found: Omit<TrafficHit, 'effect'>,
  { hits }: TrafficReport,
): Effect[] {
  return changes.flatMap((known) => {
    const { change } = known
    const effect = effectOn(change, audience, found.language)
    if (effect === 'none' || !(change.users.length === 0 || change.users.some(concerns))) return []
    if (!isHit(known, facts)) return []
    const others = hits.get(change.fingerprint)
    if (others) others.push({ ...found, effect })
    else hits.set(change.fingerprint, [{ ...found, effect }])
    return [effect]
  })
}

/** The worst effect, where the language is not known. */
function effectOn({ effects }: Change, audience: Audience, language: Language | null): Effect {
  const languages = language ? [language] : LANGUAGES
  const known = languages.map((one) => effects[one][audience] ?? 'none')
  return EFFECTS.find((effect) => known.includes(effect)) ?? 'none'
}

/** Why the new contract refuses a call that the old one accepts. */
async function newRefusals(call: Call, before: Operation, after: Operation): Promise<Reason[]> {
  const refusals = await refusalsOf(call, after)
  if (refusals.length === 0) return []
  return (await refusalsOf(call, before)).length === 0 ? refusals : []
}

/** The key of the response for a status. */
function declaredAt(responses: unknown, status: number): string | undefined {
  const keys = Object.keys((responses ?? {}) as object)
  const names = [String(status), `${String(status)[0]}XX`, 'default']
  return names.flatMap(
    (name) => keys.find((key) => key.toUpperCase() === name.toUpperCase()) ?? [],
  )[0]
}

function merged(all: readonly Evidence[]): Evidence {
  const evidence: Evidence = new Map()
  for (const [pointer, seen] of all.flatMap((one) => [...one])) {
    evidence.set(pointer, [...(evidence.get(pointer) ?? []), ...seen])
  }
  return evidence
}

function idOf({ method, prism }: Operation): string {
  return `${method} ${prism.path}`
}

/** Without the query, which may hold personal data. */
function told({ recorded: { method, status }, path }: Call): string {
  return `${method} ${path} → ${status === 0 ? 'no response' : status}`
}

/** Paths of other services may hold secrets. */
function withoutTokens(path: string): string {
  return path.replace(/[^/]{24,}/g, '…')
}

function inWords({ parameter, pointer, message }: Reason): string {
  return `${parameter ?? (pointer || 'the body')} ${message}`
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
