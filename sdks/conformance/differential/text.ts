import type { Random } from './random.ts'

const PIECES = [...'{}[]",:0-+.eu\\n /#\'1\f\v\n\0\u0001\u00a0', '/*', '//', 'NaN', 'true', '']

/** Changes, inserts or removes a few characters of JSON. */
export function mutated(random: Random, json: string): string {
  let text = json
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(text.length + 1)
    text = text.slice(0, at) + random.pick(PIECES) + text.slice(at + random.below(3))
  }
  return text
}

/** The parts of a time, with choices that RFC 3339 allows and others. */
const PARTS = [
  '2026|2026|2028|0001|0000|9999|99999|26|-2026|+2026',
  '-|-|-||/',
  '03|03|12|00|13|3|02',
  '-|-|-|',
  '02|02|28|29|30|31|00|32|2',
  'T|T|T|t| ||_',
  '09|09|23|24|00|9',
  ':|:|:|',
  '00|00|59|60|0',
  ':00|:00|:59|:60|:61||00|:0',
  '|||.5|.123456789|.1234567890123|.|,5|.5.5|.x',
  'Z|Z|Z|z||+00:00|-00:00|+05:30|-23:59|+24:00|+05:60|+0530|+05|-5:30| Z|ZZ|UTC|+05:30:00',
].map((choices) => choices.split('|'))

/** A time with a few parts of another form, or with another character. */
export function oddTime(random: Random): string {
  if (random.chance(0.5)) return PARTS.map((choices) => random.pick(choices)).join('')
  const time = '2026-03-02T09:00:00.5+05:30'
  const at = random.below(time.length + 1)
  const piece = random.pick(['', '0', '９', ' ', '\n', '-', ':', 'Z'])
  return time.slice(0, at) + piece + time.slice(at + random.below(2))
}
