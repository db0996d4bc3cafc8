import type { Call } from '../runner/case.ts'
import type { Value } from '../runner/json.ts'
import type { Random } from './random.ts'
import type { Values } from './values.ts'

export const LIST: Call = { operation: 'probes.list' }
export const GET: Call = { operation: 'probes.get', path: ['p1'] }

/** Any operation, with plain arguments. */
export function operation(random: Random): Call {
  return random.pick<Call>([
    GET,
    { ...LIST, take: 'page' },
    { operation: 'probes.delete', path: ['p1'] },
    { operation: 'probes.poke', path: ['p1'] },
    { operation: 'probes.create', body: { name: 'New' } },
    { operation: 'probes.update', path: ['p1'], body: { name: 'New' } },
    { operation: 'probes.notes.create', path: ['p1'], body: { text: 'Hi' } },
  ])
}

/** A call with odd arguments. */
export function request(random: Random, values: Values): Call {
  const word = () => values.word()
  const body: Record<string, () => Value> = {
    name: word,
    note: () => random.pick<Value>([null, word()]),
    kind: () => random.pick(['plain', 'fancy', 'shiny']),
    size: () => values.integer(),
    ratio: () => values.number(),
    labels: () => Object.fromEntries(random.some(3, () => [values.text(), values.text()] as const)),
    tags: () => random.some(3, () => values.text()),
    at: () => ({
      $time: random.pick(['2026-03-02T09:00:00Z', '2026-03-02T09:00:00.123456+05:30']),
    }),
    day: () => ({ $date: values.day() }),
  }
  const params: Record<string, () => Value> = {
    q: word,
    limit: () => 1 + random.below(100),
    tags: () => random.some(3, () => values.text()),
    ids: () => random.some(3, word),
    live: () => random.chance(0.5),
    size: () => random.pick<Value>([1, -1, 9007199254740993n]),
    ratio: () => random.pick([0.5, -0.25, 1.5, 0.30000000000000004, 123456789.125]),
    day: () => ({ $date: values.day() }),
    filter: () => ({
      $model: 'ProbeFilter',
      ...random.part<Value>({ kind: word, owner: word }, 0.6),
    }),
  }
  const path = [word()]
  const members = () =>
    Object.fromEntries(random.some(3, () => [values.text(), values.any()] as const))
  const query = () => Object.fromEntries(random.some(3, () => [word(), word()] as const))
  return random.pick<() => Call>([
    () => ({ ...LIST, take: 'page', params: random.part(params, 0.4) }),
    () => ({ operation: random.pick(['probes.get', 'probes.delete', 'probes.poke']), path }),
    () => ({ operation: 'probes.create', body: { name: word(), ...random.part(body, 0.4) } }),
    () => ({ operation: 'probes.create', body: { name: word() }, options: { body: members() } }),
    () => ({ ...LIST, take: 'page', options: { query: query() } }),
  ])()
}
