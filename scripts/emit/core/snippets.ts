import type { Enum, Field, Model, Name, TypeRef, Webhook } from '../../model/types.ts'
import type { Call } from './examples.ts'
import { Writer } from './writer.ts'

/** Code that uses a part of an API: where a value comes from, the way to the part, and its use. */
export interface Snippet {
  source: Source
  steps: readonly Step[]
  use: Use
}

export type Source =
  /** The result of a call, or each item of its pages. */
  | { of: 'call'; call: Call }
  /** The problem of a call that fails. */
  | { of: 'problem'; call: Call; problem: Model }
  /** An event that a handler gets. */
  | { of: 'event'; webhook: Webhook; payload: Model }

export type Step =
  | { of: 'field'; field: Field }
  /** Each item of a list. */
  | { of: 'item'; noun: Name; type: TypeRef }
  /** One of the types of a union. */
  | { of: 'variant'; union: string; model: Model; tag: { property: string; value: string } }

export type Use =
  /** Prints the value, or some fields of it. */
  | { of: 'show'; fields: readonly Field[] }
  /** Stores the value under its type. */
  | { of: 'store' }
  | { of: 'compare'; decl: Enum; value: string | number }

/** The value at some step. */
export interface Value {
  text: string
  /** Null where it has several. */
  type: TypeRef | null
  /** The field that holds it, which says whether it may be absent. */
  field: Field | null
}

/** The code of a step. */
export interface Code {
  lines?: readonly string[]
  /** The blocks in which all that follows stands, from the outermost. Null closes none. */
  blocks?: ReadonlyArray<readonly [open: string, close: string | null]>
  /** The expression of the value. */
  value: string
}

/** How a language writes the parts of a snippet. */
export interface Dialect {
  /** One level of indentation. */
  unit: string
  begin(source: Source): Code
  enter(step: Step, value: Value): Code
  use(use: Use, value: Value): Code
}

/** Joins the parts of a snippet. */
export function assemble({ source, steps, use }: Snippet, dialect: Dialect): string {
  const writer = new Writer(dialect.unit)
  const write = ({ lines = [], blocks = [] }: Code, then: () => void): void => {
    writer.lines(...lines)
    const nest = ([first, ...others]: NonNullable<Code['blocks']>): void => {
      if (first) writer.block(first[0], () => nest(others), first[1])
      else then()
    }
    nest(blocks)
  }
  const walk = ([step, ...others]: readonly Step[], value: Value): void => {
    const code = step ? dialect.enter(step, value) : dialect.use(use, value)
    write(code, () => {
      if (step) walk(others, { text: code.value, ...typeAfter(step) })
      else if (code.blocks?.length) writer.lines(code.value)
    })
  }
  const begun = dialect.begin(source)
  write(begun, () => {
    if (hasResult(source)) walk(steps, { text: begun.value, type: typeOf(source), field: null })
  })
  return writer.toString()
}

/** Whether a source has a value. */
export function hasResult(source: Source): boolean {
  return source.of !== 'call' || source.call.operation.result.format !== 'none'
}

function typeOf(source: Source): TypeRef | null {
  if (source.of === 'event') return source.webhook.payload
  if (source.of === 'problem') return { kind: 'ref', id: source.problem.id }
  const { page, result } = source.call.operation
  const [type, ...others] = page ? [page.item] : result.types
  return type && others.length === 0 && !result.optional ? type : null
}

function typeAfter(step: Step): Pick<Value, 'type' | 'field'> {
  if (step.of === 'field') return { type: step.field.type, field: step.field }
  if (step.of === 'item') return { type: step.type, field: null }
  return { type: { kind: 'ref', id: step.model.id }, field: null }
}
