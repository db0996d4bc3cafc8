// How long `npm run contract:diff` takes between two contracts, from the start of the process to its end:
// our own with one field renamed, and synthetic ones of about 2 MB in which each tenth operation differs.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syntheticDocument } from '../scripts/test/synthetic.ts'
import { median, noise, shuffled } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'bench-diff-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const ours = readFileSync(join(here, '../openapi.yaml'), 'utf8')
const large = JSON.stringify(syntheticDocument(200))

const pairs = {
  '**our contract**': pair('ours.yaml', ours, ours.replaceAll('requested_at', 'asked_at')),
  '200 operations': pair('large.json', large, JSON.stringify(changed(JSON.parse(large)))),
}
type Name = keyof typeof pairs
const names = Object.keys(pairs) as Name[]

interface Document {
  components: { schemas: Record<string, { properties: Record<string, unknown> }> }
}

/** Each tenth schema without one of its fields. */
function changed(document: Document): Document {
  for (const [index, schema] of Object.values(document.components.schemas).entries()) {
    if (index % 10 === 0) delete schema.properties.field_7
  }
  return document
}

function pair(name: string, before: string, after: string): [before: string, after: string] {
  const files: [string, string] = [join(folder, `old-${name}`), join(folder, `new-${name}`)]
  writeFileSync(files[0], before)
  writeFileSync(files[1], after)
  return files
}

/** @returns seconds, and how many changes there are */
function run(name: Name): { seconds: number; changes: number } {
  const [before, after] = pairs[name]
  const program = join(here, '../scripts/contract-diff.ts')
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, before, '--to', after, '--json'],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  const seconds = (performance.now() - start) / 1000
  if (status !== 1) throw new Error(`${name}: exit ${status}\n${stderr}`)
  return { seconds, changes: JSON.parse(stdout).changes.length }
}

const changes = Object.fromEntries(names.map((name) => [name, run(name).changes]))
const rounds = Array.from(
  { length: 7 },
  () =>
    Object.fromEntries(shuffled(names).map((name) => [name, run(name).seconds])) as Record<
      Name,
      number
    >,
)
const seconds = (name: Name) => rounds.map((round) => round[name])

const budgets: Budget[] = [
  {
    what: 'two contracts of 2 MB, seconds',
    actual: median(seconds('200 operations')),
    limit: 3,
    keep: 'at most',
  },
]

report(
  ['contract', 'kB', 'changes', 'seconds', 'noise'],
  names.map((name) => [
    name,
    digits(statSync(pairs[name][0]).size / 1000),
    digits(changes[name] ?? 0),
    digits(median(seconds(name))),
    percent(noise(seconds(name))),
  ]),
  budgets,
)
