import type { Api } from '../../model/types.ts'
import { blocks, code, inline, table } from '../core/markdown.ts'

/** Every guess of the contract, with its reason and what stands on it. */
export function assumptionsPage(api: Api): string {
  const rows = api.assumptions.map(({ pointer, reason, shows }) => [
    code(pointer),
    inline(reason),
    shows.map(code).join(', ') || 'all',
  ])
  return blocks(
    '# What is assumed',
    `The service has not published everything that a client must know. Each guess of the contract
stands here once, at the highest place that is wholly a guess; everything beneath that place is part
of it. When the service publishes a fact, its guess goes away. What is not listed is published.`,
    'In the SDKs, doc comments say "Assumed: …" at the same places.',
    table(['Place in the contract', 'Why this guess', 'What stands on it'], rows),
  )
}
