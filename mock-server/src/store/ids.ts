import type { Sandbox, Seed } from './types.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** How many digits a number has at least. */
const NUMBER = 7
const DIGITS = new RegExp(`^[${ALPHABET}]{${NUMBER}}$`)

/**
 * An identifier that grows with time, is the same in every run and differs between sandboxes. Those of
 * events also differ after a reset. Otherwise a receiver that remembers handled events would ignore the
 * first event of the next test as a duplicate.
 */
export function makeId(prefix: string, sandbox: Sandbox, number: number, isEvent = false): string {
  const round = isEvent ? base32(sandbox.generation, 3) : ''
  return `${prefix}${base32(sandbox.id, 3)}${round}${base32(number, NUMBER)}`
}

/** The number in an id that this sandbox could have made; 0 for all others. */
export function numberOf(id: string, sandbox: Sandbox): number {
  const own = id.slice(0, id.indexOf('_') + 1) + base32(sandbox.id, 3)
  const digits = id.slice(own.length)
  if (!id.startsWith(own) || !DIGITS.test(digits)) return 0
  return [...digits].reduce((number, digit) => number * 32 + ALPHABET.indexOf(digit), 0)
}

function base32(value: number, digits: number): string {
  let text = ''
  for (let rest = value; rest > 0 || text.length < digits; rest = Math.floor(rest / 32)) {
    text = ALPHABET[rest % 32] + text
  }
  return text
}

/** The highest number in a seed's ids: a seed may hold what this sandbox returned earlier. */
export function lastNumber(sandbox: Sandbox, { conversations, sources, endpoints }: Seed): number {
  const threads = conversations.flatMap((one) => [one.conversation, ...one.messages])
  const made = [...threads, ...sources, ...endpoints]
  return made.reduce((last, { id }) => Math.max(last, numberOf(id, sandbox)), 0)
}
