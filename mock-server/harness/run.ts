/**
 * Plays the scenarios of Prism's own tests against the mock server. `node harness/run.ts [TEXT]` plays those
 * whose names contain a text. `PRISM_HARNESS` names a folder or an archive of Prism's repository to use
 * instead of the download.
 */
import { readFileSync } from 'node:fs'
import { judge, type Result, readExpected, strangers } from './expected.ts'
import { play } from './play.ts'
import { readScenario, type Sort } from './scenario.ts'
import { readSpecs } from './specs.ts'

/** The mock server does not read collections of Postman, and is no proxy. */
const UNPLAYED: readonly Sort[] = ['Postman', 'proxy']
/** How many servers run at a time. */
const LANES = 2

const [wanted = ''] = process.argv.slice(2)
const expected = readExpected(readFileSync(new URL('expected.yaml', import.meta.url), 'utf8'))
const specs = await readSpecs(process.env.PRISM_HARNESS)
const all = specs.map(({ name, text }) => readScenario(name, text))
const scenarios = all.filter(({ name }) => name.includes(wanted))

const results: Result[] = []
const queue = scenarios.filter(({ sort }) => !UNPLAYED.includes(sort)).values()
const lanes = Array.from({ length: LANES }, async () => {
  for (const scenario of queue) results.push({ scenario, differences: await play(scenario) })
})
await Promise.all(lanes)

const { counts, surprises: odd } = judge(results, expected)
const surprises = [...odd, ...strangers(expected, all)]
const unplayed = UNPLAYED.map((sort) => {
  return `${sort}: ${scenarios.filter((one) => one.sort === sort).length} scenarios, not played`
})
for (const line of [...surprises.sort(), ...counts, ...unplayed]) process.stdout.write(`${line}\n`)
process.exitCode = surprises.length > 0 ? 1 : 0
