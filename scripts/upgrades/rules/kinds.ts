import { calls, fields, given, type Matcher, renamedCalls } from './matchers.ts'

/** What finds changes of a kind. The first entry whose expression matches the kind counts. */
const MATCHERS: ReadonlyArray<readonly [RegExp, Matcher]> = [
  [/^operation-(renamed|moved)$/, renamedCalls],
  [/^(query|header)-parameter-(added-required|became-required)$/, calls],
  [/^(query|header)-parameter-/, given],
  [/^request-field-(added-required|became-required)$/, calls],
  [/^request-field-/, given],
  [/^(response|event|error)-field-/, fields],
  [/^(operation|path-parameter|request-body|idempotency|pagination|response)-/, calls],
]

/** Null for a kind that no program shows. */
export function matcherOf(kind: string): Matcher | null {
  return MATCHERS.find(([kinds]) => kinds.test(kind))?.[1] ?? null
}
