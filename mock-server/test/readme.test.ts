/** Runs the examples of the README unchanged, and checks its tables of options. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { certifyCommand } from '../src/cli/certify.ts'
import { checkIntegrationCommand } from '../src/cli/check-integration.ts'
import { deliveriesCommand } from '../src/cli/deliveries.ts'
import { listenCommand } from '../src/cli/listen.ts'
import { mcpCommand } from '../src/cli/mcp.ts'
import { replayCommand } from '../src/cli/replay.ts'
import { requestsCommand } from '../src/cli/requests.ts'
import { serveCommand } from '../src/cli/serve.ts'
import { signCommand } from '../src/cli/sign.ts'
import { triggerCommand } from '../src/cli/trigger.ts'
import { verifyCommand } from '../src/cli/verify.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@support-chat'), { recursive: true })
  symlinkSync(ROOT, join(modules, '@support-chat/mock-server'))
  symlinkSync(packageOf('vitest'), join(modules, 'vitest'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function packageOf(name: string): string {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
}

/** Writes the example that contains a text to a file. */
function example(text: string, name: string): string {
  const all = [...README.matchAll(/```(?:ts|js|yaml)\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const found = all.filter((code) => code.includes(text))
  expect(found).toHaveLength(1)
  const file = join(folder, name)
  writeFileSync(file, found[0] ?? '')
  return file
}

const node = (...args: string[]) => execute(process.execPath, args, { cwd: folder })
const vitest = (...args: string[]) => node(join(packageOf('vitest'), 'vitest.mjs'), 'run', ...args)

it('runs the one for Vitest', async () => {
  example("from 'vitest'", 'vitest.test.ts')
  expect((await vitest('vitest.test.ts')).stdout).toMatch(/1 passed/)
})

it('runs the one for Jest, with functions that Vitest has too', async () => {
  example('require(', 'jest.test.cjs')
  const { stdout } = await vitest('--globals', '--dir', folder, 'jest.test.cjs')
  expect(stdout).toMatch(/1 passed/)
})

it('runs the one for the runner of Node.js', async () => {
  const file = example("from 'node:test'", 'node.test.mjs')
  expect((await node('--test', file)).stdout).toMatch(/pass 1/)
})

it('reads the scenario', async () => {
  const { readScenario } = await import('../src/cli/scenario-file.ts')
  expect(await readScenario(example('steps:', 'scenario.yaml'))).toHaveLength(6)
})

/** The commands that each section of the README describes. */
const SECTIONS: Record<string, Array<(exit: () => void) => Command>> = {
  'Start the server': [serveCommand],
  'Receive and send webhooks': [
    listenCommand,
    triggerCommand,
    deliveriesCommand,
    replayCommand,
    requestsCommand,
  ],
  'Check an integration before a contract changes': [checkIntegrationCommand],
  'For coding agents': [mcpCommand],
  'Certify your receiver': [certifyCommand],
  'Find out why a webhook is refused': [verifyCommand, signCommand],
}

it.each(Object.entries(SECTIONS))('lists the options under "%s"', (heading, commands) => {
  const section = README.split('\n## ').find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `-'))
  const listed = rows.flatMap((row) => row.split('|')[1]?.match(/--[^ `]+/g) ?? [])
  const options = commands
    .flatMap((command) => command(() => undefined).options)
    .filter(({ hidden, negate }) => !hidden && !negate)
  const names = options.map(({ long }) => long)
  expect(listed.map((name) => name.replace('[no-]', '')).sort()).toEqual([...new Set(names)].sort())
})

it('states the defaults of serve', () => {
  for (const { long, defaultValue } of serveCommand(() => undefined).options) {
    if (defaultValue === undefined) continue
    const row = README.split('\n').find((line) => line.startsWith(`| \`${long}`)) ?? ''
    expect([long, row.split('|')[2]?.trim()]).toEqual([long, String(defaultValue)])
  }
})
