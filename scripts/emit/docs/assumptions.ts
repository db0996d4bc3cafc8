import type { Api } from '../../model/types.ts'
import { blocks, code, inline, table } from '../core/markdown.ts'

/** Every assumption of the contract, with its reason and the types and methods that depend on it. */
export function assumptionsPage(api: Api): string {
  const rows = api.assumptions.map(({ pointer, reason, shows }) => [
    code(pointer),
    inline(reason),
    shows.map(code).join(', ') || 'all',
  ])
  return blocks(
    '# Assumptions',
    `The service has not published everything that a client needs. This page lists each assumption of the
contract once, at its highest location. An assumption covers everything beneath that location. When the
service publishes a fact, the assumption disappears. Everything else is published.`,
    'The doc comments of the SDKs start these notes with "Assumption:", once on the highest type or method.',
    table(['Location in the contract', 'Reason', 'Used by'], rows),
  )
}
