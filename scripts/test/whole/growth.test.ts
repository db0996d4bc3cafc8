// The contract grows by one edit and one command. The whole repository is copied and its contract grows;
// then what is quick of each suite has to pass, and in `npm run soak` all of it, without an edit of a test.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { grown } from '../grown.ts'
import { Copy } from './copy.ts'

const MINUTE = 60_000

const copy = new Copy()
afterAll(() => copy.remove())

const CONTRACT = join(copy.folder, 'openapi.yaml')
writeFileSync(CONTRACT, grown(readFileSync(CONTRACT, 'utf8')))

type Step = [what: string, folder: string, command: string[]]
const tool = (...args: string[]) => ['node', '../../scripts/toolchain/run.ts', ...args]
const vitest = (...args: string[]) => ['npx', 'vitest', 'run', ...args]

/** The tests of the contract itself, and those of each SDK that are about all events. */
const QUICK: readonly Step[] = [
  ['is linted', 'scripts', vitest('test/contract.test.ts')],
  // Its tests also run programs that import the package.
  ['is built in TypeScript', 'sdks/typescript', ['npx', 'tsup']],
  ['has its events in TypeScript', 'sdks/typescript', vitest('webhooks/events', 'testing/')],
  [
    'has its events in Python',
    'sdks/python',
    tool('pytest', '-q', '-k', 'test_events or test_testing'),
  ],
  [
    'has its events in Ruby',
    'sdks/ruby',
    tool('rake', 'test', 'TEST=test/webhooks/{events,testing}_test.rb'),
  ],
  [
    'has its events in Go',
    'sdks/go',
    ['go', 'test', '-run', 'Kind|Event|Future|Invalid', '.', './supportchattest'],
  ],
]

/** All suites, as one runs them before a commit. The copy that they are in need not copy itself again. */
const WHOLE: readonly Step[] = [
  ['is built', '.', ['npm', 'run', 'build']],
  ['writes its surfaces', '.', ['npm', 'run', 'surface']],
  ['passes all suites', '.', ['npx', 'turbo', 'run', 'lint', 'test', '--concurrency=2']],
]

describe('a contract with more of everything', () => {
  it.each<Step>([
    ['is generated', '.', ['npm', 'run', '-s', 'generate']],
    ['has its changesets', '.', ['npm', 'run', '-s', 'contract:change']],
    ...(process.env.MODE === 'soak' ? WHOLE : QUICK),
  ])('%s', { timeout: 60 * MINUTE }, (_, folder, [command = '', ...args]) => {
    const { status, output } = copy.run(command, args, folder)
    expect(status, output.slice(-4000)).toBe(0)
  })
})
