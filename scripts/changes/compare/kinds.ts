/** What a change of a type is about, from which the names of its kinds begin. */
export type Prefix =
  | `${'request' | 'response' | 'error' | 'event' | 'page'}-field`
  | `${'path' | 'query' | 'header'}-parameter`
  | 'request-body'
  | 'response'
  | 'error'
  | 'event'

type Suffixes = Readonly<Record<string, string | null>>

const OF_PARAMETERS: Suffixes = {
  'format-changed': 'type-changed',
  'became-list': 'type-changed',
  'became-nullable': 'loosened',
  'stopped-being-nullable': 'tightened',
}

const OF_WHOLE_DATA: Suffixes = {
  'became-list': 'type-changed',
  'format-changed': 'type-changed',
  'became-nullable': 'type-changed',
  'stopped-being-nullable': 'type-changed',
  tightened: null,
  loosened: null,
}

/** The suffixes that some prefixes spell otherwise. Null: users do not notice. */
const OTHERS: Readonly<Partial<Record<Prefix, Suffixes>>> = {
  'request-field': {
    'became-list': 'type-changed',
    'optional-removed': 'removed',
  },
  'response-field': { tightened: 'constraint-changed', loosened: 'constraint-changed' },
  'event-field': {
    'became-list': 'type-changed',
    'optional-removed': 'removed',
    'optional-renamed': 'renamed',
    'optional-renamed-kept': 'renamed-kept',
    tightened: 'constraint-changed',
    loosened: 'constraint-changed',
  },
  'error-field': {
    'type-changed': 'changed',
    'became-list': 'changed',
    'format-changed': 'changed',
    'became-optional': 'changed',
    'became-nullable': 'changed',
    'became-required': 'changed',
    'stopped-being-nullable': 'changed',
    'optional-removed': 'removed',
    'optional-renamed': 'renamed',
    'optional-renamed-kept': 'renamed-kept',
    tightened: null,
    loosened: null,
    deprecated: null,
  },
  // The SDKs compare the fields of a page with the contract, but hand out none of them.
  'page-field': {
    removed: 'changed',
    renamed: 'changed',
    'renamed-kept': 'changed',
    'became-optional': 'changed',
    'became-nullable': 'changed',
    'type-changed': 'changed',
    'format-changed': 'changed',
    'became-list': 'changed',
    'optional-removed': null,
    'optional-renamed': null,
    'optional-renamed-kept': null,
    'became-required': null,
    'stopped-being-nullable': null,
    tightened: null,
    loosened: null,
    deprecated: null,
  },
  'path-parameter': OF_PARAMETERS,
  'query-parameter': OF_PARAMETERS,
  'header-parameter': OF_PARAMETERS,
  'request-body': {
    'became-list': 'type-changed',
    'format-changed': 'type-changed',
    'became-nullable': 'became-optional',
    'stopped-being-nullable': 'became-required',
    tightened: null,
    loosened: null,
  },
  response: OF_WHOLE_DATA,
  error: {
    'type-changed': 'format-changed',
    'became-list': 'format-changed',
    'became-nullable': 'format-changed',
    'stopped-being-nullable': 'format-changed',
    tightened: null,
    loosened: null,
  },
  event: OF_WHOLE_DATA,
}

/** The kind of a change, or null where nobody notices it. */
export function kindOf(prefix: Prefix, suffix: string): string | null {
  const other = OTHERS[prefix]?.[suffix]
  return other === null ? null : `${prefix}-${other ?? suffix}`
}
