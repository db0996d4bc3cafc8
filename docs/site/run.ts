/**
 * Serves the documentation site, or builds it into `docs/dist`. Installs what Astro needs when its lock file is not
 * the one that was installed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeNotices } from './notices.ts'
import { makePortable } from './portable.ts'

const HELP = `Usage: npm run docs [-- --port PORT]
       npm run docs:build [-- --out FOLDER]

Serves the documentation on your machine and follows edits, or builds it into docs/dist: static files that work
from any folder of any web server. A mock server that runs from this repository then serves them at /docs.

  --port PORT    the port of \`npm run docs\`, 4321 by default
  --out FOLDER   builds into this folder, and leaves the mock server as it is
  --help         this text

Exit code: 0 built or stopped, 1 a page cannot be built, 2 wrong usage.
`

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const SITE = path('.')
const DIST = path('../dist')
const MOCK = path('../../mock-server/site')

/** What a program that starts this one may have set for itself, and Vite would take as a setting of the site. */
const FOREIGN = Object.fromEntries(
  ['NODE_ENV', 'BASE_URL', 'DEV', 'MODE', 'PROD', 'SSR'].map((name) => [name, undefined]),
)

function main(args: readonly string[]): number {
  const command = args[0]
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  let given: { port?: string; out?: string }
  try {
    const options = { port: { type: 'string' }, out: { type: 'string' } } as const
    given = parseArgs({ args: args.slice(1), options }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
  if (command === 'dev')
    return install() || astro(['dev', '--port', given.port ?? '4321'], 'inherit').status
  if (command !== 'build') return refuse(`There is no command ${command ?? ''}.`)
  return install() || build(given.out && resolve(given.out))
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n\n${HELP}`)
  return 2
}

/** @param out Empty for the usual folder, which a mock server in this repository serves. */
function build(out = ''): number {
  const folder = out || DIST
  if (!out) rmSync(DIST, { recursive: true, force: true })
  else if (existsSync(out) && readdirSync(out).length > 0) {
    process.stderr.write(`${out} has files. Choose a folder that is empty or does not exist.\n`)
    return 1
  }
  const { status, output } = astro(['build', '--outDir', folder], 'pipe')
  if (status !== 0) {
    process.stderr.write(output)
    return status
  }
  makePortable(folder)
  writeNotices(path('node_modules'), folder)
  if (!out) {
    rmSync(MOCK, { recursive: true, force: true })
    cpSync(DIST, MOCK, { recursive: true })
  }
  process.stdout.write(`The documentation is in ${out || 'docs/dist'}.\n`)
  return 0
}

/** @param stdout A build that succeeds says nothing: its warnings are about Astro's own code. */
function astro(
  args: readonly string[],
  stdout: 'inherit' | 'pipe',
): { status: number; output: string } {
  const program = path('node_modules/astro/bin/astro.mjs')
  const result = spawnSync(process.execPath, [program, ...args], {
    cwd: SITE,
    stdio: ['ignore', stdout, stdout],
    encoding: 'utf8',
    env: { ...process.env, ...FOREIGN, ASTRO_TELEMETRY_DISABLED: '1' },
  })
  if (result.error) throw result.error
  return { status: result.status ?? 1, output: `${result.stdout ?? ''}${result.stderr ?? ''}` }
}

function install(): number {
  const wanted = createHash('sha256')
    .update(readFileSync(path('package-lock.json')))
    .digest('hex')
  const installed = path('node_modules/.installed')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return 0
  process.stderr.write('Installing what the documentation site needs from npm\n')
  rmSync(path('node_modules'), { recursive: true, force: true })
  // `npm ci` refuses a lock file that lacks the builds of Astro's compiler for other platforms.
  const { status, error } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], {
    cwd: SITE,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error) throw error
  if (status === 0) writeFileSync(installed, wanted)
  return status ?? 1
}

process.exitCode = main(process.argv.slice(2))
