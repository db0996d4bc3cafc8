import { given } from './matchers/arguments.ts'
import { calls, renamedCalls } from './matchers/calls.ts'
import { fields } from './matchers/fields.ts'
import {
  clients,
  constants,
  events,
  problems,
  types,
  variants,
  variantTags,
  verifiers,
} from './matchers/names.ts'
import { pageParameters } from './matchers/pages.ts'
import type { Matcher } from './matchers/scene.ts'
import { tags } from './matchers/tags.ts'

/** What finds changes of a kind. The first entry whose expression matches the kind counts. */
const MATCHERS: ReadonlyArray<readonly [RegExp, readonly Matcher[]]> = [
  [/^operation-((renamed|moved)(-kept)?|old-name-removed)$/, [renamedCalls]],
  [/^(query-parameter|header-parameter|request-field)-(added|became)-required$/, [calls]],
  [/^(query-parameter|header-parameter|request-field)-default-changed$/, [calls]],
  [/^(query|header)-parameter-/, [given]],
  [/^pagination-limit-parameter-renamed$/, [pageParameters]],
  [/^pagination-cursor-parameter-renamed$/, [calls, pageParameters]],
  [/^request-field-/, [given]],
  [/^request-(enum-introduced|enum-opened|map-value-type-changed)$/, [given]],
  [/^request-literal-changed$/, [calls, given]],
  [/^(response|event|error)-field-|^field-old-name-/, [fields]],
  [/^(response|event)-(enum-introduced|enum-opened|literal-changed|map-value)/, [fields]],
  [/-enum-value-\w+$/, [constants]],
  [/-union-tag-value-changed$/, [constants, variants]],
  [/-union-tag-renamed$/, [tags, variants]],
  [/-variant-removed$/, [variants, variantTags]],
  [/^error-format-changed$/, [problems]],
  [/^type-/, [types]],
  [/^event-(added|removed|renamed|deprecated)$/, [events]],
  [/^(security|server|policy)-/, [clients]],
  [/^(signature|event-header)-/, [verifiers]],
  [
    /^(operation|path-parameters?|parameters|request|idempotency|pagination|page|response)-/,
    [calls],
  ],
]

/** None for a kind that no program shows. */
export function matchersOf(kind: string): readonly Matcher[] {
  return MATCHERS.find(([kinds]) => kinds.test(kind))?.[1] ?? []
}
