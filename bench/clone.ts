// What a stranger waits for: from a clone of this repository by `npm install` and `npm start` to the first
// response, now and before the tests' own programs left the main install. npm's cache holds everything.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { median, noise, type Round, shuffled } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'

const root = join(import.meta.dirname, '..')
const revisions = { now: 'HEAD', before: '7379e82' }

type Name = keyof typeof revisions
const names = Object.keys(revisions) as Name[]
const labels: Record<Name, string> = { now: '**now**', before: `before (${revisions.before})` }

interface Start {
  installed: number
  response: number
  /** What the installs have brought, in MiB. */
  size: number
}

/** The first round fills npm's cache. */
const unsettled = 1
const count = 3

/** The environment of somebody who has just opened a terminal, not that of a script of npm's. */
const env = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value = '']) => {
    if (/^npm_/i.test(name)) return []
    const own = value.split(':').filter((folder) => !folder.startsWith(root))
    return [[name, name === 'PATH' ? own.join(':') : value]]
  }),
)

function run(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

/** Starts the mock server, and ends it after its first response. */
async function firstResponse(cwd: string): Promise<void> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--memory'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Leads a process group, so that the server ends with npm.
    detached: true,
  })
  const closed = once(child, 'close')
  let address: string | undefined
  for await (const line of createInterface(child.stdout)) {
    address = /^Listening on (\S+)/.exec(line)?.[1]
    if (address) break
  }
  const headers = { authorization: 'Bearer sk_test_demo' }
  const response = await fetch(`${address}/v1/conversations`, { headers })
  if (!response.ok) throw new Error(`The server returned ${response.status}.`)
  await response.text()
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await closed
}

async function start(name: Name): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-'))
  try {
    const began = performance.now()
    run(root, 'git', 'clone', '--quiet', '--no-checkout', root, folder)
    run(folder, 'git', 'checkout', '--quiet', run(root, 'git', 'rev-parse', revisions[name]).trim())
    run(folder, 'npm', 'install')
    const installed = performance.now() - began
    const [kilobytes = ''] = run(folder, 'du', '-sk', '--exclude=.git', '.').split('\t')
    const resumed = performance.now()
    await firstResponse(folder)
    const response = installed + performance.now() - resumed
    return { installed, response, size: Number(kilobytes) / 1024 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const starts: Record<Name, Start>[] = []
for (let index = -unsettled; index < count; index++) {
  const round = {} as Record<Name, Start>
  for (const name of shuffled(names)) round[name] = await start(name)
  if (index >= 0) starts.push(round)
}

function rounds(figure: keyof Start): Round<Name>[] {
  return starts.map(({ now, before }) => ({ now: now[figure], before: before[figure] }))
}

const ratio = (figure: keyof Start) => median(rounds(figure).map(({ now, before }) => now / before))
const seconds = (figure: 'installed' | 'response', name: Name) => {
  const taken = rounds(figure).map((round) => round[name] / 1000)
  return [digits(median(taken)), percent(noise(taken))]
}

const rows = names.map((name) => [
  labels[name],
  ...seconds('installed', name),
  ...seconds('response', name),
  digits(median(rounds('size').map((round) => round[name]))),
  times(name === 'now' ? ratio('response') : 1),
])
const budgets: Budget[] = [
  {
    what: 'the checkout with its install, MiB',
    actual: median(rounds('size').map(({ now }) => now)),
    limit: 600,
    keep: 'at most',
  },
  { what: 'first response, to before', actual: ratio('response'), limit: 0.67, keep: 'at most' },
]

report(
  ['a fresh clone', 'npm install s', 'noise', 'first response s', 'noise', 'MiB', 'to before'],
  rows,
  budgets,
)
