/** Completions, as shells ask for them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Commands } from './command.ts'

const BIN = fileURLToPath(new URL('../bin.js', import.meta.url))

let commands: Commands
beforeAll(() => {
  commands = new Commands()
})
afterAll(() => commands.close())

async function complete(...words: string[]): Promise<string[]> {
  const { code, stdout } = await commands.run(['complete', '--', ...words])
  expect(code).toBe(0)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] ?? '')
}

describe('a word is completed', () => {
  it.each([
    [['tri'], ['trigger']],
    [
      ['deliveries', 're'],
      ['resume', 'retry'],
    ],
    [
      ['deliveries', '--state', ''],
      ['pending', 'succeeded', 'dead'],
    ],
    [['deliveries', 'resume', '--order', 'r'], ['reverse']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['trigger', 'f'], ['future']],
    [['trigger', 'conversation.cr'], ['conversation.created']],
    [['listen', '--events', 'conversation.cr'], ['conversation.created']],
    [['deliveries', '--kind', 'conversation.cr'], ['conversation.created']],
    [['serve', '--sign'], ['--signature-encoding']],
    [['serve', '--data-dir', ''], []],
    [['deliveries', 'dlv_1', ''], []],
  ])('%j as %j', async (words, expected) => expect(await complete(...words)).toEqual(expected))

  it('but not as a hidden command', async () => {
    const all = await complete('')
    expect(all).toContain('serve')
    expect(all).not.toContain('complete')
  })
})

it('a shell that is unknown is refused', async () => {
  expect((await commands.run(['completion', 'tcsh'])).code).toBe(2)
})

/** Completes a line in a real shell, by its own script. */
const SHELLS = {
  bash: `source ./script; COMP_WORDS=(support-chat-mock deliveries re); COMP_CWORD=2
    _support-chat-mock; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }; _files() { print files; }
    _describe() { print -l -- "\${(@P)2%%:*}"; }
    source ./script; words=(support-chat-mock deliveries re); CURRENT=3; _support-chat-mock`,
  fish: `source ./script; complete -C 'support-chat-mock deliveries re' | string replace -r '\\t.*' ''`,
}

describe.each(Object.entries(SHELLS))('%s', (shell, program) => {
  const isThere = !spawnSync(shell, ['-c', 'true']).error

  // Needs the shell on this machine.
  it.runIf(isThere)('completes a command', async () => {
    const { stdout } = await commands.run(['completion', shell])
    writeFileSync(join(commands.folder, 'script'), stdout)
    const bin = join(commands.folder, 'bin')
    mkdirSync(bin, { recursive: true })
    const starter = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`
    writeFileSync(join(bin, 'support-chat-mock'), starter, { mode: 0o755 })
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    const options = { cwd: commands.folder, env, encoding: 'utf8' } as const
    const found = execFileSync(shell, ['-c', program], options)
    expect(found.split('\n').filter(Boolean).toSorted()).toEqual(['resume', 'retry'])
  })
})
