import { splitList, unquote } from './media-type.ts'
import type { Target } from './target.ts'

/** The preferences of a request. Others in its `Prefer` field are ignored, as RFC 7240 requires. */
export interface Preferences {
  /** The status to return. */
  code?: string
  /** The name of the example to return. */
  example?: string
  /** Whether to make a new value from the schema instead of an example. */
  dynamic?: boolean
  /** What the values of a dynamic response depend on. */
  seed?: string
}

const NAMES = ['code', 'example', 'dynamic', 'seed']
const PREFERENCE = /^([a-z]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]+)\s*(;.*)?$/i
const BOOLEANS: Record<string, boolean> = { true: true, false: false }

/** Parses a `Prefer` field (RFC 7240). Of repeated preferences the first counts. */
export function parsePrefer(field: string | undefined): Preferences {
  if (field === undefined) return {}
  return preferencesOf(
    splitList(field).map((member) => {
      const [, name = '', value = ''] = PREFERENCE.exec(member) ?? []
      return [name.toLowerCase(), unquote(value)]
    }),
  )
}

/** Takes the preferences out of a query, where they are called `__code` and so on. */
export function takePreferences({ query, ...target }: Target): [Preferences, Target] {
  const isPreference = ([name]: Target['query'][number]) =>
    name.startsWith('__') && NAMES.includes(name.slice(2))
  const taken = query.filter(isPreference).map(([name, value]): [string, string] => {
    return [name.slice(2), value]
  })
  const rest = query.filter((one) => !isPreference(one))
  return [preferencesOf(taken), { ...target, query: rest }]
}

function preferencesOf(sent: [name: string, value: string][]): Preferences {
  const found = new Map<string, string>()
  for (const [name, value] of sent) {
    if (NAMES.includes(name) && value !== '' && !found.has(name)) found.set(name, value)
  }
  const dynamic = BOOLEANS[found.get('dynamic') ?? '']
  found.delete('dynamic')
  return { ...Object.fromEntries(found), ...(dynamic !== undefined && { dynamic }) }
}
