/** What the sandbox makes of its contract, for the control API and the dashboard. */
import type { Reported } from '../contract/form.ts'
import type { Bindings, Unserved } from '../sandbox/bindings.ts'

export interface Overview {
  title: string
  version: string
  operations: Array<{ method: string; path: string; from: 'state' | 'examples' }>
  events: Array<{ kind: string; summary: string; from: 'state' | 'examples' }>
  /** What the sandbox could serve, but not with this contract. */
  unserved: readonly Unserved[]
  deviations: readonly Reported[]
}

export function overviewOf({ forms, operations, events, unserved }: Bindings): Overview {
  const { description, report } = forms
  const sent = new Set([...events.values()].map(({ kind }) => kind))
  return {
    title: description.title,
    version: description.version,
    operations: description.operations.map(({ method, path }) => ({
      method,
      path,
      from: operations.has(`${method} ${path}`) ? 'state' : 'examples',
    })),
    events: description.events.map(({ kind, summary }) => ({
      kind,
      summary,
      from: sent.has(kind) ? 'state' : 'examples',
    })),
    unserved,
    deviations: report.all,
  }
}
