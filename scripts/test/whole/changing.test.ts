// The five minutes of docs/changing-the-contract.md, in a copy of the whole repository.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from '../../repository.ts'
import { Copy } from './copy.ts'

const copy = new Copy()
afterAll(() => copy.remove())

const page = readFileSync(join(ROOT, 'docs/changing-the-contract.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([^`]+)^```$/gm)].map(([, block = '']) => block)

/** What the output of a command has, by a word of the command. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  generate: /^TypeScript: .*\nPython: .*\nRuby: .*\nGo: .*\n/m,
  'contract:diff': /Handoff\.requested_at is now called asked_at[\s\S]*exit code 1\n$/,
  'contract:change': /wrote +\.changeset\/[\s\S]*wrote +docs\/upgrading\.md\n[\s\S]*Next: /,
  '--stat': /\.changeset\/contract-since-[\s\S]*sdks\/go\/api\.txt[\s\S]*sdks\/typescript\/api\.md/,
}

it('has the commands of a change', () => {
  for (const command of Object.keys(PRINTS)) expect(page).toContain(command)
})

it.each(blocks)('%s', { timeout: 600_000 }, (block) => {
  const { status, output } = copy.run('sh', ['-e', '-c', block])
  expect(status, output).toBe(0)
  for (const [command, printed] of Object.entries(PRINTS)) {
    if (block.includes(command)) expect(output).toMatch(printed)
  }
})

it('leaves nothing behind', () => {
  expect(copy.git('status', '--porcelain', '-uall')).toBe('')
})
