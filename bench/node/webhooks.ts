// How many bytes the process grows by, at its peak, while it accepts a delivery:
// `memory CONTENDER FILE`. Its speed is raced in ../webhooks.ts.

import { readFileSync, writeFileSync } from 'node:fs'
import { contenders } from '../deliveries.ts'

const times = 10
const [name = '', file = ''] = process.argv.slice(3)
const entrants: Record<string, () => unknown> = await contenders(readFileSync(file))
const work = entrants[name]
if (!work) throw new Error(`no contender is called ${name}`)

const before = resident('VmRSS')
writeFileSync('/proc/self/clear_refs', '5')
for (let i = 0; i < times; i++) await work()
process.stdout.write(`${resident('VmHWM') - before}\n`)

function resident(what: string): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024
}
