import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../repository.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beside-'))
})
afterAll(() => rm(folder, { recursive: true }))

function beside(...args: string[]) {
  const script = join(ROOT, 'scripts/services/run.ts')
  const env = { ...process.env, TMPDIR: folder }
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
}

const PROGRAM = `
  const { connect } = require('node:net')
  for (const name of ['TEST_REDIS_URL', 'TEST_POSTGRES_URL']) {
    const { hostname, port } = new URL(process.env[name])
    connect(Number(port), hostname, function () { console.log(name); this.end() })
  }
  process.exitCode = 3`

it('runs a command beside databases, and leaves nothing behind', () => {
  // PostgreSQL runs under an account of its own, which has to reach its folder.
  spawnSync('chmod', ['755', folder])
  const { stdout, stderr, status } = beside(
    'redis',
    'postgres',
    '--',
    process.execPath,
    '-e',
    PROGRAM,
  )
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n').sort()).toEqual(['TEST_POSTGRES_URL', 'TEST_REDIS_URL'])
  expect(status).toBe(3)
  expect(readdirSync(folder)).toEqual([])
})

it('says how it is used', () => {
  const { stderr, status } = beside('mysql', '--', 'true')
  expect(stderr).toBe('Usage: node scripts/services/run.ts redis|postgres … -- COMMAND …\n')
  expect(status).toBe(2)
})

it('names a command that cannot be run', () => {
  const { stderr, status } = beside('--', 'no-such-command')
  expect(stderr).toMatch(/^no-such-command cannot be run: /)
  expect(status).toBe(127)
})
