import type { Policy } from '../../model/types.ts'

/** A constant of a store: a default in one line, or a statement in several. */
export interface StoreText {
  store: string
  name: string
  text: string
  isStatement: boolean
}

/** What the dedupe stores send, and their defaults. */
export function storeTexts({ webhooks }: Policy): StoreText[] {
  return Object.entries(webhooks.stores).flatMap(([store, texts]) =>
    Object.entries(texts).map(([name, text]) => ({
      store,
      name,
      text: text.trimEnd(),
      isStatement: text.includes('\n'),
    })),
  )
}
