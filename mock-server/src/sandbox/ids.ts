import type { Sandbox } from '../store/types.ts'

export type Prefix = 'conv_' | 'msg_' | 'src_' | 'evt_' | 'ep_'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * An identifier that grows with time, is the same in every run and another one in every sandbox.
 * Those of events also differ after a reset: a receiver that remembers what it handled would take the
 * first event of the next test for a repeat.
 */
export function makeId(prefix: Prefix, sandbox: Sandbox, number: number): string {
  const round = prefix === 'evt_' ? base32(sandbox.generation, 3) : ''
  return `${prefix}${base32(sandbox.id, 3)}${round}${base32(number, 7)}`
}

function base32(value: number, digits: number): string {
  let text = ''
  for (let rest = value; rest > 0 || text.length < digits; rest = Math.floor(rest / 32)) {
    text = ALPHABET[rest % 32] + text
  }
  return text
}
