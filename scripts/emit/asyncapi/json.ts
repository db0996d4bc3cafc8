import type { Doc } from '../../model/types.ts'
import { assumptionText } from '../core/remarks.ts'

export type Json = Record<string, unknown>

/** An object without its undefined members. */
export function present(parts: Json): Json {
  return Object.fromEntries(
    Object.entries(parts).filter(([, part]) => part !== null && part !== false),
  )
}

/** The text about a part, with the reason where it is an assumption. */
export function describe(doc: Pick<Doc, 'text' | 'assumed'>): string | null {
  const parts = [doc.text, assumptionText(doc)].filter(Boolean)
  return parts.length > 0 ? parts.join('\n\n') : null
}

/** The text as it stands beside a part. */
export function documentation(doc: Doc): Json {
  return present({ description: describe(doc), deprecated: doc.deprecated })
}
