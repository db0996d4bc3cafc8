import type { Fields, Value } from '../runner/json.ts'
import type { Random } from './random.ts'

const TEXTS = [
  ...['', ' ', 'a', '0', 'null', 'größe 😀', 'e\u0301', '\u2028', '\ufeffa', '\u00a0', 'ﷺ', 'ß'],
  ...[
    'a b',
    'a+b',
    '%2F',
    'a/b',
    'a?b#c',
    '&=;,',
    '"\\',
    '<p>',
    '__proto__',
    '\t\r\n',
    '\0',
    '~*()!',
  ],
  ...[
    '[]',
    '{}',
    'true',
    '1e3',
    '@:$',
    '|^`',
    'İ',
    '\u0085',
    '\ud800\udc00'.repeat(9),
    'x'.repeat(40),
  ],
]

const NUMBERS = [
  ...[0, 1, -1, 7, 42, 0.5, -0.25, 100, 1e15, 123456789.125, 0.30000000000000004, 1.5e-7, 5e-324],
  ...[1.7976931348623157e308, 2147483648, -2147483649, 9007199254740991],
]

const BIG = [9007199254740993n, -9223372036854775808n, 9223372036854775807n]

/** Times that every language writes as it reads them. */
const TIMES = [
  ...['2026-03-02T09:00:00Z', '2026-03-02T09:00:00.5Z', '1969-12-31T23:59:59.999-08:00'],
  ...['2028-02-29T00:00:00+05:30', '9999-12-31T23:59:59.999999Z', '0001-01-01T00:00:00Z'],
]

const DAYS = ['2026-03-02', '2028-02-29', '9999-12-31', '0001-01-01']

/** Odd values for responses and arguments. */
export class Values {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  text(): string {
    return this.#random.pick(TEXTS)
  }

  /** Text that is a query parameter in every language: not empty, and without an apostrophe. */
  word(): string {
    return this.text() || 'w'
  }

  integer(): Value {
    return this.#random.chance(0.2)
      ? this.#random.pick(BIG)
      : Math.trunc(this.#random.pick(NUMBERS.filter((number) => Math.abs(number) < 2 ** 53)))
  }

  number(): number {
    return this.#random.pick(NUMBERS)
  }

  time(): string {
    return this.#random.pick(TIMES)
  }

  day(): string {
    return this.#random.pick(DAYS)
  }

  /** Any JSON value. */
  any(depth = 2): Value {
    const random = this.#random
    const makers: Array<() => Value> = [
      ...[() => null, () => random.chance(0.5), () => this.number(), () => this.integer()],
      ...[() => this.text(), () => this.text()],
    ]
    if (depth > 0) {
      makers.push(
        () => random.some(3, () => this.any(depth - 1)),
        () => Object.fromEntries(random.some(3, () => [this.text(), this.any(depth - 1)] as const)),
      )
    }
    return random.pick(makers)()
  }

  /** A probe whose fields are missing, null or of another type now and then. */
  probe(depth = 1): Fields {
    const random = this.#random
    const odd = (make: () => Value) => () => {
      const chance = random.next()
      return chance < 0.08 ? null : chance < 0.16 ? this.any(1) : make()
    }
    const fields: Record<string, () => Value> = {
      id: odd(() => this.text()),
      kind: odd(() => random.pick(['plain', 'fancy', 'shiny', ''])),
      note: odd(() => this.text()),
      size: odd(() => this.integer()),
      ratio: odd(() => this.number()),
      live: odd(() => random.chance(0.5)),
      at: () => random.pick<Value>([this.time(), this.time(), null, 7, true, [], {}]),
      day: () => random.pick<Value>([this.day(), this.day(), null, 7, false, [], {}]),
      labels: odd(() =>
        Object.fromEntries(random.some(3, () => [this.text(), this.text()] as const)),
      ),
      tags: odd(() => random.some(3, () => this.text())),
      shape: odd(() => this.shape()),
      ...(depth > 0 && { parent: odd(() => this.probe(depth - 1)) }),
    }
    const unknown = Object.fromEntries(
      random.some(2, () => [`x${this.text()}`, this.any()] as const),
    )
    const required: Fields = random.chance(0.8) ? { id: this.text() || 'p', kind: 'plain' } : {}
    return shuffled(random, { ...required, ...random.part(fields, 0.4), ...unknown })
  }

  shape(): Value {
    const random = this.#random
    const type = random.pick<Value>(['circle', 'circle', 'square', 'square', 'star', 7, null])
    const sides = { radius: () => this.number(), side: () => this.any(1), hue: () => this.any(1) }
    return { ...(random.chance(0.9) && { type }), ...random.part<Value>(sides, 0.5) }
  }
}

function shuffled(random: Random, fields: Fields): Fields {
  const entries = Object.entries(fields).map((entry) => [random.next(), entry] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, entry]) => entry))
}

/** Writes JSON with odd white space and escapes. */
export function oddJson(random: Random, value: Value): string {
  const space = () => random.pick(['', '', '', ' ', '\n', '\t', '\r\n '])
  const write = (value: Value): string => {
    if (typeof value === 'string') return text(value)
    if (value === null || typeof value !== 'object') return String(value)
    if (Array.isArray(value))
      return `[${space()}${value.map(write).join(`${space()},${space()}`)}${space()}]`
    const members = Object.entries(value).map(
      ([name, item]) => `${text(name)}${space()}:${space()}${write(item)}`,
    )
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`
  }
  const text = (value: string) => {
    const plain = JSON.stringify(value)
    if (!random.chance(0.2)) return plain
    const escaped = Array.from(value, (unit) => unit.split(''))
      .flat()
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return `"${escaped.join('')}"`
  }
  return `${space()}${write(value)}${space()}`
}
