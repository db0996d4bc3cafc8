// What a maintainer waits for after an edit of the contract: until everything is generated and formatted, and
// until the sources of each SDK have passed their compiler. Cold is the first time on a machine, without a
// cache of Node.js, mypy or Go; warm is each further edit.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Copy } from '../scripts/test/whole/copy.ts'
import { median, noise } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'

const copy = new Copy()
const caches = mkdtempSync(join(tmpdir(), 'bench-edit-'))
process.on('exit', () => {
  copy.remove()
  spawnSync('chmod', ['-R', 'u+w', caches]) // Go's cache of modules is read-only.
  rmSync(caches, { recursive: true, force: true })
})

const tool = (...args: string[]) => ['node', '../../scripts/toolchain/run.ts', ...args]

/** The steps, each in its folder. The ruby of a script that only loads the gem checks its syntax. */
const STEPS = {
  'generated and formatted': ['.', ['node', 'scripts/generate.ts']],
  'checked by TypeScript': ['sdks/typescript', ['npx', 'tsc', '-p', 'tsconfig.src.json']],
  'checked by mypy': ['sdks/python', tool('mypy', 'src')],
  'loaded by ruby': ['sdks/ruby', tool('ruby', '-w', '-Ilib', '-e', 'require "support_chat"')],
  'compiled by go': ['sdks/go', tool('go', 'build', './...')],
} as const satisfies Record<string, readonly [folder: string, command: readonly string[]]>

type Step = keyof typeof STEPS
type Round = Record<Step, number>
const steps = Object.keys(STEPS) as Step[]

const sources = { extends: './tsconfig.json', include: ['src'], compilerOptions: { noEmit: true } }
writeFileSync(join(copy.folder, 'sdks/typescript/tsconfig.src.json'), JSON.stringify(sources))

const contract = join(copy.folder, 'openapi.yaml')
const written = readFileSync(contract, 'utf8')

/** Makes an edit that reaches every language, and takes all steps. @returns seconds */
function round(edit: number): Round {
  const field = `edit_${edit}: { type: string, description: An edit. }`
  writeFileSync(contract, written.replace(/^( +)conversation_volume:$/m, `$1${field}\n$&`))
  return Object.fromEntries(
    steps.map((step) => {
      const [folder, [command, ...args]] = STEPS[step]
      const start = performance.now()
      const { status, output } = copy.run(command, args, folder)
      if (status !== 0) throw new Error(`${step}: ${output}`)
      return [step, (performance.now() - start) / 1000]
    }),
  ) as Round
}

rmSync(join(copy.folder, 'sdks/python/.mypy_cache'), { recursive: true, force: true })
Object.assign(process.env, {
  NODE_COMPILE_CACHE: join(caches, 'node'),
  GOCACHE: join(caches, 'go'),
})
const cold = round(0)
const warm = Array.from({ length: 7 }, (_, index) => round(index + 1))

const sum = (one: Round) => steps.reduce((all, step) => all + one[step], 0)
const row = (what: string, of: (one: Round) => number) => {
  const seconds = warm.map(of)
  return [what, digits(of(cold)), digits(median(seconds)), percent(noise(seconds))]
}

const budgets: Budget[] = [
  {
    what: 'generated and formatted, warm, seconds',
    actual: median(warm.map((one) => one['generated and formatted'])),
    limit: 1.5,
    keep: 'at most',
  },
]

report(
  ['after an edit, seconds', 'cold', 'warm', 'noise'],
  [...steps.map((step) => row(step, (one) => one[step])), row('**all of it**', sum)],
  budgets,
)
