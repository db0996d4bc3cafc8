import { successorOf } from '../../model/index.ts'
import type { Decl, Doc, Model } from '../../model/types.ts'
import type { Side } from './side.ts'
import type { Types } from './types.ts'

/** What is said about types, and types that nothing uses. */
export function compareDeclarations(types: Types): void {
  const { before, after, findings } = types
  const params = paramsOf(before)
  const unused = unusedOf(before)
  for (const decl of before.api.decls) {
    if (params.has(decl.id)) continue
    const now = after.index.decl(decl.id)
    const add = (kind: string, values = {}) =>
      findings.add({
        kind,
        key: `types/${decl.id}`,
        before: decl.pointer,
        after: now?.pointer ?? null,
        subject: { of: 'type', decl },
        named: 'before',
        values,
        users: usersOf(before, decl),
      })
    const successor = successorOf(decl)
    if (!now) {
      if (successor) add('type-old-name-removed', { before: decl.id, after: successor })
      else if (unused.has(decl.id)) add('type-removed')
      continue
    }
    if (successorOf(now)) continue
    if (!decl.doc.deprecated && now.doc.deprecated) add('type-deprecated')
    // Where no object is described in place, the text is that of the field.
    const isField = decl.kind !== 'model' && !isShared(decl)
    if (!isField && textOf(decl, now) !== textOf(now, decl)) add('type-documentation-changed')
    if (decl.kind === 'model' && now.kind === 'model') compareOldNames(types, decl, now)
    if (decl.kind === 'model' && now.kind === 'model' && order(decl, now) !== order(now, decl)) {
      add('required-order-changed')
    }
  }
}

/** Old names of fields that are gone, whose new names are not. */
function compareOldNames({ before, findings }: Types, decl: Model, now: Model): void {
  for (const field of decl.fields.filter(({ oldName }) => oldName)) {
    const { wire } = field.oldName ?? field
    const kept = now.fields.find((one) => one.wire === field.wire)
    if (!kept || kept.oldName?.wire === wire) continue
    findings.add({
      kind: 'field-old-name-removed',
      key: `types/${decl.id}/${wire}`,
      before: field.pointer,
      after: kept.pointer,
      subject: { of: 'field', decl, field: { ...field, ...field.oldName } },
      named: 'before',
      values: { before: wire, after: field.wire },
      users: usersOf(before, decl),
      renamed: { from: wire, to: field.wire, certain: true },
    })
  }
}

function isShared({ pointer }: Decl): boolean {
  return /^\/components\/schemas\/[^/]+$/.test(pointer)
}

/** The texts about a declaration and about those of its fields that another one has too. */
function textOf(decl: Decl, other: Decl): string {
  const texts: Array<Doc['text']> = [decl.doc.text]
  if (decl.kind === 'model' && other.kind === 'model') {
    const shared = new Set(other.fields.map(({ wire }) => wire))
    const fields = [...decl.fields].sort((a, b) => (a.wire < b.wire ? -1 : 1))
    texts.push(...fields.filter(({ wire }) => shared.has(wire)).map(({ doc }) => doc.text))
  }
  return JSON.stringify(texts)
}

/** The required fields that two objects share, in the order of one. */
function order(model: Model, other: Model): string {
  const isRequired = ({ presence }: Model['fields'][number]) => presence === 'required'
  const shared = new Set(other.fields.filter(isRequired).map(({ wire }) => wire))
  const wires = model.fields.filter(isRequired).map(({ wire }) => wire)
  return wires.filter((wire) => shared.has(wire)).join(' ')
}

function paramsOf({ api }: Side): Set<string | null> {
  return new Set(api.operations.map(({ params }) => params))
}

function unusedOf(side: Side): Set<string> {
  const { decls } = side.api
  return new Set(decls.filter((decl) => usersOf(side, decl).length === 0).map(({ id }) => id))
}

function usersOf(side: Side, { id }: Decl): string[] {
  const directions = ['request', 'response', 'error', 'event'] as const
  return [...new Set(directions.flatMap((direction) => side.usersOf(id, direction)))].sort()
}
