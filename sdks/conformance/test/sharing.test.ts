// Programs of several languages share one database: an event is handled once among them all.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../../scripts/services/postgres.ts'
import { startRedis } from '../../../scripts/services/redis.ts'
import type { Service } from '../../../scripts/services/service.ts'
import { programs as go } from '../../../scripts/toolchain/languages/go.ts'
import { tool } from '../../../scripts/toolchain/languages/python.ts'
import { programs as ruby } from '../../../scripts/toolchain/languages/ruby.ts'

const SDKS = join(import.meta.dirname, '../..')
const WORKERS = join(SDKS, 'conformance/sharing')
const LANGUAGES = ['typescript', 'python', 'ruby', 'go'] as const
type Language = (typeof LANGUAGES)[number]
const PAIRS = LANGUAGES.flatMap((a) => LANGUAGES.filter((b) => a !== b).map((b) => [a, b] as const))
const KINDS = ['redis', 'postgres', 'sqlite'] as const
const TABLES = 12
const ID = 'evt_ünï'

let folder: string
const services: Service[] = []
const urls: Partial<Record<(typeof KINDS)[number], string>> = {}
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sharing-'))
  chmodSync(folder, 0o755) // for the account of PostgreSQL
  for (const [kind, start] of [
    ['redis', startRedis],
    ['postgres', startPostgres],
  ] as const) {
    mkdirSync(join(folder, kind))
    const service = await start(join(folder, kind))
    services.push(service)
    urls[kind] = service.url
  }
  urls.sqlite = join(folder, 'events.db')
  const build = ['build', '-C', join(SDKS, 'go/integration'), '-o', goWorker(), './sharing']
  const { status, stderr } = spawnSync(go.go, build, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The Go program was not built:\n${stderr}`)
})

afterAll(async () => {
  for (const child of children) child.stdin?.end()
  for (const service of services) await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const goWorker = () => join(folder, 'sharing')

function commandOf(language: Language): readonly [program: string, ...args: string[]] {
  switch (language) {
    case 'typescript':
      return [process.execPath, join(WORKERS, 'worker.ts')]
    case 'python':
      return [tool('python'), '-X', 'utf8', join(WORKERS, 'worker.py')]
    case 'ruby':
      return [ruby.ruby, '-I', join(SDKS, 'ruby/lib'), '-E', 'UTF-8', join(WORKERS, 'worker.rb')]
    case 'go':
      return [goWorker()]
  }
}

const holderOf = (language: Language) => `${language} 3:812 ß`

/** Returns what sends a line to a new process, and resolves with its answer. */
function worker(language: Language, kind: (typeof KINDS)[number], name: string) {
  const [program, ...args] = commandOf(language)
  const env = { ...process.env, PYTHONPATH: join(SDKS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' }
  const all = [...args, kind, urls[kind] ?? '', name, holderOf(language)]
  const child = spawn(program, all, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    const { value = 'no answer' } = await lines.next()
    return value
  }
  const end = async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { ask, end }
}

describe.each(KINDS)('a store in %s', (kind) => {
  it('is shared by all languages', async () => {
    const all = LANGUAGES.map((language) => [language, worker(language, kind, 'shared')] as const)
    const processes = Object.fromEntries(all)
    for (const { ask } of Object.values(processes)) expect(await ask('setup')).toBe('ok')

    for (const [index, [first, second]] of PAIRS.entries()) {
      const [mine, other] = [processes[first], processes[second]]
      if (!mine || !other) throw new Error('unreachable')
      const id = `${ID}_${index}`
      const between = `${first}, then ${second}`
      expect(await mine.ask(`begin ${id}`), between).toBe('new')
      expect(await other.ask(`begin ${id}`), between).toBe(`in_progress ${holderOf(first)}`)
      // One that has no lease neither ends nor finishes it.
      expect(await other.ask(`release ${id}`)).toBe('ok')
      expect(await other.ask(`done ${id}`)).toBe('ok')
      expect(await other.ask(`begin ${id}`), between).toBe(`in_progress ${holderOf(first)}`)

      expect(await mine.ask(`release ${id}`)).toBe('ok')
      expect(await other.ask(`begin ${id}`), between).toBe('new')
      expect(await mine.ask(`begin ${id}`), between).toBe(`in_progress ${holderOf(second)}`)
      expect(await other.ask(`done ${id}`)).toBe('ok')
      for (const { ask } of Object.values(processes)) {
        expect(await ask(`begin ${id}`), between).toBe('done')
      }
    }
    for (const { end } of Object.values(processes)) await end()
  })
})

it.each(['postgres', 'sqlite'] as const)('all create a table of %s at once', async (kind) => {
  for (let table = 0; table < TABLES; table++) {
    const all = LANGUAGES.map((language) => worker(language, kind, `at_once_${table}`))
    // They have started and connected, so that they meet.
    for (const { ask } of all) await ask('begin evt_1')
    const answers = await Promise.all(all.map(({ ask }) => ask('setup')))
    expect(answers, `table ${table}`).toEqual(LANGUAGES.map(() => 'ok'))
    for (const { end } of all) await end()
  }
})
