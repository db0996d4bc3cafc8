// The stores in a runtime that asks before it tells the name of the machine.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { bun, deno } from '../../../../scripts/toolchain/packages.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'stores-'))
afterAll(() => rmSync(folder, { recursive: true }))

const dist = new URL('../../dist/', import.meta.url).href
const program = join(folder, 'main.mjs')
writeFileSync(
  program,
  `import { RedisDedupeStore } from '${dist}webhooks-redis.js'
  const commands = []
  const client = { eval: async (_, { arguments: values }) => (commands.push(values), 'new') }
  const lease = await new RedisDedupeStore(client).begin('evt_1')
  console.log(JSON.stringify([lease.state, commands[0][1]]))`,
)

test.each([
  ['Deno without permissions', deno, ['run', '--allow-read', '--no-prompt'], /^\d+$/],
  ['Deno', deno, ['run', '--allow-all'], /^.+:\d+$/],
  ['Bun', bun, [], /^.+:\d+$/],
])('in %s, a lease names its process as far as it is known', async (_, find, args, holder) => {
  const { stdout } = await run(find(), [...args, program])
  const [state, named] = JSON.parse(stdout)
  expect(state).toBe('new')
  expect(named).toMatch(holder)
})
