// Runs every script, or those that are named, and prints what they print; with --keep, README.md keeps that
// too, between its markers, beside the date and the machine.

import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { versions } from '../scripts/toolchain/languages.ts'

const readme = join(import.meta.dirname, 'README.md')
const all = [
  'client',
  'size',
  'webhooks',
  'receiving',
  'stores',
  'mock',
  'outbox',
  'growth',
  'languages',
  'imports',
  'generate',
  'edit',
  'diff',
  'clone',
]
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const scripts = named.length > 0 ? named : all

/** What a script prints; runs it in a process of its own. */
function tableOf(script: string): string {
  const file = join(import.meta.dirname, `${script}.ts`)
  const { status, stdout } = spawnSync(process.execPath, ['--expose-gc', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${script} failed`)
  return stdout.trim()
}

/** What a reader must know of the run: when, on what, and how busy the machine was with other work. */
function circumstances(): string {
  const date = new Date().toISOString().slice(0, 10)
  const { platform, arch, version } = process
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  const { TOOLCHAIN_GO: go, TOOLCHAIN_PYTHON: python = '', TOOLCHAIN_RUBY: ruby } = versions()
  const newest = python.split(' ').at(-1)
  const languages = `Node ${version.slice(1)}, Python ${newest}, Ruby ${ruby}, Go ${go}`
  return `${date}, ${languages}, ${platform} ${arch}, ${processors}, ${memory} GiB of memory, load average ${load} before the run.`
}

/** Replaces what stands between `<!-- name:begin -->` and `<!-- name:end -->`. */
function insert(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`README.md lacks ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`
}

const run = circumstances()
process.stdout.write(`${run}\n`)
const before = await readFile(readme, 'utf8')
// Tables of an earlier run keep its date.
let page = named.length > 0 ? before : insert(before, 'run', run)
for (const script of scripts) {
  const table = tableOf(script)
  process.stdout.write(`\n## ${script}\n\n${table}\n`)
  page = insert(page, script, named.length > 0 ? `${run}\n\n${table}` : table)
}
if (process.argv.includes('--keep')) await writeFile(readme, page)
