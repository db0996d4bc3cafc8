import { createHash } from 'node:crypto'
import type { Webhook } from '../../model/types.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Reserved } from '../reserved.ts'
import type { Revision } from '../revision.ts'
import { nameOf, spell } from '../subject.ts'
import { textOf, textsOf } from '../texts.ts'
import { type Change, EFFECTS, type Effects, type Kind, type Site } from '../types.ts'
import { compareAssumptions } from './assumptions.ts'
import { compareEvents, kindFields } from './events.ts'
import { type Finding, Findings } from './findings.ts'
import { compareOperations, pageFields, pairOperations } from './operations.ts'
import { comparePolicies } from './policy.ts'
import { compareDeclarations } from './prose.ts'
import { compareService } from './service.ts'
import { Side } from './side.ts'
import { Types } from './types.ts'
import { tagFields } from './unions.ts'

/** Everything that changes between two revisions, the worst for users first. */
export function compare(
  before: Revision,
  after: Revision,
  catalogue: Catalogue,
  reserved: readonly Reserved[] = [],
): Change[] {
  const revisions = { before, after, old: new Side(before), now: new Side(after) }
  const changes = findingsOf(revisions, reserved).map((finding) => {
    const kind = catalogue.get(finding.kind)
    if (!kind) throw new Error(`The catalogue has no kind ${finding.kind}`)
    return changeOf(finding, kind, revisions)
  })
  return ordered(changes, catalogue)
}

/** The worst for users first. */
export function ordered(changes: readonly Change[], catalogue: Catalogue): Change[] {
  const order = [...catalogue.keys()]
  return changes.toSorted(
    (a, b) =>
      severityOf(a.effects) - severityOf(b.effects) ||
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      (a.pointer < b.pointer ? -1 : a.pointer > b.pointer ? 1 : 0) ||
      (a.fingerprint < b.fingerprint ? -1 : 1),
  )
}

/** The parts of both contracts that changes are about, by fingerprint. */
export function partsOf(before: Revision, after: Revision): Map<string, Finding> {
  const revisions = { before, after, old: new Side(before), now: new Side(after) }
  return new Map(findingsOf(revisions, []).map((finding) => [fingerprintOf(finding), finding]))
}

function findingsOf({ before, after, old, now }: Revisions, reserved: readonly Reserved[]) {
  const findings = new Findings()
  const pairs = pairOperations(old, now)
  const settled = new Set([
    ...tagFields(old),
    ...tagFields(now),
    ...kindFields(old, now),
    ...pairs.flatMap((pair) => pageFields(pair, old, now)),
  ])
  const types = new Types(old, now, findings, settled)
  compareOperations(types, pairs)
  compareEvents(types)
  compareService(types)
  compareDeclarations(types)
  compareAssumptions(types)
  if (before.policy && after.policy) {
    comparePolicies(before.policy.value, after.policy.value, findings)
  }
  reuses(findings, reserved)
  return findings.all()
}

function fingerprintOf({ kind, key }: Finding): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex').slice(0, 12)
}

/** The position of the worst effect on anybody. */
export function severityOf(effects: Effects): number {
  const all = Object.values(effects).flatMap((audiences) => Object.values(audiences))
  return Math.min(
    ...all.map((effect) => (effect === null ? EFFECTS.length : EFFECTS.indexOf(effect))),
  )
}

/** A new part that has the name of one that was removed. */
function reuses(findings: Findings, reserved: readonly Reserved[]): void {
  const names = new Map(reserved.map((one) => [one.name, one]))
  for (const finding of findings.all()) {
    const name = nameOf(finding.subject)
    const known = finding.named === 'after' ? names.get(name) : undefined
    if (!known) continue
    const values = { before: known.removed }
    findings.add({ ...finding, kind: 'name-reused', key: `name ${name}`, values })
  }
}

interface Revisions {
  before: Revision
  after: Revision
  old: Side
  now: Side
}

function changeOf(finding: Finding, kind: Kind, revisions: Revisions): Change {
  const { before, after, old, now } = revisions
  const isPolicy = finding.kind.startsWith('policy-')
  const side = finding.named === 'before' ? old : now
  const isAssumed = (side: Side, pointer: string | null) =>
    !isPolicy && pointer !== null && side.isAssumed(pointer)
  return {
    fingerprint: fingerprintOf(finding),
    kind: finding.kind,
    pointer: finding.after ?? finding.before ?? '',
    before: siteOf(before, finding.before, isPolicy),
    after: siteOf(after, finding.after, isPolicy),
    class: kind.class,
    preview: !isPolicy && isPreview(finding, old, now),
    provenance: isPolicy ? 'policy' : 'contract',
    subject: spell(finding.subject, side.api),
    effects: kind.effects,
    text: textOf(finding, kind),
    texts: textsOf(finding, kind, { before: old.api, after: now.api }),
    users: [...finding.users],
    renamed: finding.renamed ?? null,
    assumed: { before: isAssumed(old, finding.before), after: isAssumed(now, finding.after) },
    approved: null,
  }
}

function siteOf(
  { contract, policy }: Revision,
  pointer: string | null,
  isPolicy: boolean,
): Site | null {
  if (pointer === null || (isPolicy && !policy)) return null
  const { file, line } =
    isPolicy && policy
      ? policy.locate(pointer)
      : contract.locations.find(contract.document, pointer)
  return { file, line }
}

/** Whether the API, or everything that a change reaches in it, was a preview. */
function isPreview({ users }: Finding, old: Side, now: Side): boolean {
  if (old.api.stability === 'preview') return true
  const previews = new Set(
    [old, now].flatMap(({ api }) => [
      ...api.operations.filter(({ isPreview }) => isPreview).map(({ id }) => id),
      ...api.webhooks
        .filter(({ stability }: Webhook) => stability === 'preview')
        .map(({ event }) => `webhook ${event}`),
    ]),
  )
  return users.length > 0 && users.every((user) => previews.has(user))
}
