import { join, relative } from 'node:path'
import { successorOf } from '../model/index.ts'
import type { Operation } from '../model/types.ts'
import { dotted } from '../model/words.ts'
import { formatProblem, type Problem } from '../yaml/index.ts'
import { approve, loadApprovals } from './approvals.ts'
import { type Catalogue, loadCatalogue } from './catalogue.ts'
import type { Options } from './cli.ts'
import { compare, ordered, partsOf } from './compare/index.ts'
import { toJson } from './report/json.ts'
import { toMarkdown } from './report/markdown.ts'
import { type Report, summarize } from './report/summary.ts'
import { type Paint, toTerminal } from './report/terminal.ts'
import { loadReserved } from './reserved.ts'
import {
  defaultBase,
  loadRevision,
  loadSurfaces,
  type Revision,
  type Surroundings,
  Unreadable,
} from './revision.ts'
import { compareSurfaces } from './surface/compare.ts'
import { Explained } from './surface/explained.ts'
import type { Change } from './types.ts'

export interface Settings extends Surroundings {
  /** As `2027-01-31`. */
  today: string
  paint: Paint
}

/** What the command prints, and its exit code. */
export interface Outcome {
  exit: 0 | 1 | 2
  stdout: string
  stderr: string
}

/** Compares two revisions and reports what changes. Bad input is one sentence, and exit code 2. */
export async function diff(options: Options, settings: Settings): Promise<Outcome> {
  try {
    const report = await reportOf(options, settings)
    const exit = report.summary.failing > 0 ? 1 : 0
    return { exit, stdout: write(report, options, settings), stderr: '' }
  } catch (error) {
    if (error instanceof Unreadable) return { exit: 2, stdout: '', stderr: `${error.message}\n` }
    throw error
  }
}

async function reportOf({ base, target, failOn }: Options, settings: Settings): Promise<Report> {
  const { before, after, changes, remarks } = await comparison({ base, target }, settings)
  const summary = summarize(changes, failOn)
  return { base: before.name, target: after.name, changes, remarks, summary }
}

/** Two revisions, and what changes between them. */
export interface Comparison {
  before: Revision
  after: Revision
  changes: readonly Change[]
  /** Approvals that have no effect, in sentences. */
  remarks: readonly string[]
}

/**
 * Compares two revisions: a base, else the last release, and a target, else the work tree.
 *
 * @throws Unreadable
 */
export async function comparison(
  { base, target }: Pick<Options, 'base' | 'target'>,
  settings: Omit<Settings, 'paint'>,
): Promise<Comparison> {
  const { root, today } = settings
  const folder = join(root, 'contracts')
  const [known, approved, kept] = await Promise.all([
    loadCatalogue(),
    loadApprovals(join(folder, 'approvals.yaml')),
    loadReserved(join(folder, 'reserved.yaml')),
  ])
  refuse([...known.problems, ...approved.problems, ...kept.problems])
  const from = base ?? defaultBase(root)
  const before = await loadRevision(from, settings)
  const after = await loadRevision(target, settings)
  const ofContracts = compare(before, after, known.catalogue, kept.reserved)
  const ofSurfaces = compareSurfaces(
    loadSurfaces(from, settings),
    loadSurfaces(target, settings),
    () => explain(before, after, known.catalogue),
    known.catalogue,
  )
  const found = ordered([...ofContracts, ...ofSurfaces], known.catalogue)
  const { changes, idle } = approve(found, approved.approvals, today)
  const remarks = idle.map(({ approval, index, cause }) => {
    const { file, line } = approved.locate(index)
    const where = `${relative(root, file)}:${line}`
    return cause === 'expired'
      ? `${where}: the approval of ${approval.fingerprint} expired on ${approval.expires}.`
      : `${where}: no change has the fingerprint ${approval.fingerprint}. Remove the approval.`
  })
  return { before, after, changes, remarks: [...remarks, ...spentMarks(before, after)] }
}

/** What a change of the contract or the policy explains. Prose explains nothing. */
function explain(before: Revision, after: Revision, catalogue: Catalogue): Explained {
  const findings = [...partsOf(before, after).values()]
  const parts = findings.filter(({ kind }) => catalogue.get(kind)?.class !== 'documentation')
  return new Explained(parts, before.api, after.api)
}

/** Old names that the base has kept already, so that this release may remove them. */
function spentMarks(before: Revision, after: Revision): string[] {
  const nameOf = ({ resource, method }: Operation) => dotted(resource, method)
  const former = ({ api }: Revision) => api.operations.filter(({ successor }) => successor !== null)
  const methods = former(after).map((one) => ({ name: nameOf(one), pointer: one.pointer }))
  const known = new Set([
    ...former(before).map(nameOf),
    ...[...oldTypes(before), ...oldFields(before)].map(({ name }) => name),
  ])
  return [...methods, ...oldTypes(after), ...oldFields(after)]
    .filter(({ name }) => known.has(name))
    .map(({ name, pointer }) => {
      const { contract } = after
      const { file, line } = contract.locations.find(contract.document, pointer)
      return `${file}:${line}: ${before.name} already had ${name} as an old name. Remove its x-renamed-from.`
    })
}

/** The old names of types, and where the types are. */
function oldTypes({ api }: Revision): Array<{ name: string; pointer: string }> {
  const byId = new Map(api.decls.map((decl) => [decl.id, decl]))
  return api.decls.flatMap((decl) => {
    const now = byId.get(successorOf(decl) ?? '')
    return now ? [{ name: decl.id, pointer: now.pointer }] : []
  })
}

/** The old names of fields, and where the fields are. */
function oldFields({ api }: Revision): Array<{ name: string; pointer: string }> {
  return api.decls.flatMap((decl) => {
    const fields = decl.kind === 'model' ? decl.fields : []
    return fields.flatMap(({ oldName, pointer }) =>
      oldName ? [{ name: `${decl.id}.${oldName.wire}`, pointer }] : [],
    )
  })
}

function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (first) throw new Unreadable(formatProblem(first))
}

function write(report: Report, { format }: Options, { paint }: Settings): string {
  if (format === 'json') return toJson(report)
  return format === 'markdown' ? toMarkdown(report) : toTerminal(report, paint)
}
