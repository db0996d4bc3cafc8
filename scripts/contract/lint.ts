import { type Config, createConfig, type NormalizedProblem } from '@redocly/openapi-core'
import { keysOf } from './json.ts'
import { FATES } from './keywords.ts'

/** Rules without which a document means nothing certain. */
const STRUCTURE = {
  struct: 'error',
  'no-identical-paths': 'error',
  'no-enum-type-mismatch': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'path-declaration-must-exist': 'error',
  'path-not-include-query': 'error',
  'spec-components-invalid-map-name': 'error',
} as const

/** Further rules for this repository's own contract. */
const STYLE = {
  'info-license': 'error',
  'info-license-strict': 'error',
  'no-ambiguous-paths': 'error',
  'no-duplicated-enum-values': 'error',
  'no-duplicated-tag-names': 'error',
  'no-empty-servers': 'error',
  'no-example-value-and-externalValue': 'error',
  'no-illogical-composition-keywords': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-mixed-number-range-constraints': 'error',
  'no-path-trailing-slash': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-schema-type-mismatch': 'error',
  'no-server-example.com': 'error',
  'no-server-trailing-slash': 'error',
  'no-server-variables-empty-enum': 'error',
  'no-undefined-server-variable': 'error',
  'no-unsafe-markdown': 'error',
  'no-unused-components': 'error',
  'operation-2xx-response': 'error',
  'operation-description': 'error',
  'operation-operationId': 'error',
  'operation-operationId-url-safe': 'error',
  'operation-singular-tag': 'error',
  'operation-summary': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'paths-kebab-case': 'error',
  'security-defined': 'error',
  'security-scopes-defined': 'error',
  'spec-example-values': 'error',
  'spec-ref-siblings': 'error',
  'tag-description': 'error',
} as const

/** Redocly's rules for a document; `strict` adds style. */
export function lintConfig(strict: boolean): Promise<Config> {
  return createConfig({ rules: strict ? { ...STRUCTURE, ...STYLE } : STRUCTURE })
}

/**
 * Whether the finding of a rule is harmless. Keywords of the other version are common in real documents
 * and are understood in both. Parts that the generator never reads need not be valid.
 */
export function tolerated({ ruleId, message, location }: NormalizedProblem): boolean {
  if (ruleId !== 'struct') return false
  const keyword = keysOf(location[0]?.pointer ?? '').at(-1) ?? ''
  if (FATES.Schema.get(keyword) === 'validation') return true
  return /Property `(nullable|example|examples|const|license|summary|identifier)` is not expected here/.test(
    message,
  )
}
