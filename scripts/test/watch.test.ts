// What `npm run generate` says, and how it follows edits: with real processes.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../repository.ts'
import { CASES, NAMES, temporaryFolder } from './support.ts'

const GENERATE = join(ROOT, 'scripts/generate.ts')

interface Setup {
  contract: string
  overlay: string
  names: string
  args: string[]
  folder: string
}

function setup(): Setup {
  const folder = temporaryFolder()
  const contract = join(folder, 'openapi.yaml')
  const overlay = join(folder, 'overlay.yaml')
  const names = join(folder, 'names.yaml')
  copyFileSync(join(CASES, 'unions/openapi.yaml'), contract)
  copyFileSync(NAMES, names)
  const description = titled('Unions')
  writeFileSync(overlay, description)
  const files = ['--contract', contract, '--overlay', overlay, '--names', names]
  return { contract, overlay, names, folder, args: [...files, '--out', join(folder, 'out')] }
}

function titled(title: string): string {
  const head = 'overlay: 1.0.0\ninfo: { title: Titles, version: "1" }\n'
  return `${head}actions: [{ target: $.info, update: { title: ${title} } }]\n`
}

describe('what a run says', () => {
  it('is a line for each language and what to run next, then that nothing changed', () => {
    const { args } = setup()
    const run = () => spawnSync(process.execPath, [GENERATE, ...args], { encoding: 'utf8' })

    const first = run().stdout.split('\n')
    expect(first.map((line) => line.replace(/\d+/g, 'n'))).toEqual([
      'TypeScript: n written, n removed, n unchanged',
      'Python:     n written, n removed, n unchanged',
      'Ruby:       n written, n removed, n unchanged',
      'Go:         n written, n removed, n unchanged',
      expect.stringMatching(/^Next: build the packages in /),
      '',
    ])
    expect(run().stdout).toMatch(/^Nothing to do: \d+ files are up to date\.\n$/)
  })
})

describe('--watch', () => {
  it('does not go with --check', () => {
    const { args } = setup()
    const all = [GENERATE, ...args, '--watch', '--check']
    expect(spawnSync(process.execPath, all, { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--watch and --check do not go together'),
    })
  })

  it('follows edits of each input, survives errors and ends when interrupted', async () => {
    const { args, contract, overlay, names, folder } = setup()
    const watching = new Watching(args)
    await watching.says(/Go: .*\n[\s\S]*Watching \d+ files/)
    const readme = () => readFileSync(join(folder, 'out/typescript/README.md'), 'utf8')

    const document = readFileSync(contract, 'utf8')
    writeFileSync(contract, document.replace(/^openapi: .*$/m, 'openapi: 9.9.9'))
    await watching.says(/openapi\.yaml:1:1: "openapi" is "9\.9\.9"/)
    // As editors save: a file of another name takes the place.
    writeFileSync(`${contract}~`, document)
    renameSync(`${contract}~`, contract)
    await watching.says(/Nothing to do/)

    writeFileSync(overlay, titled('Shapes'))
    await watching.says(/TypeScript: [1-9]/)

    const given = readFileSync(names, 'utf8')
    writeFileSync(names, given.replace('title: Sample Service', 'title: Other Service'))
    await watching.says(/TypeScript: [1-9]/)
    expect(readme()).toContain('Other Service')

    expect(await watching.interrupt()).toBe(0)
  })
})

/** A process that watches, and what it has said since the last look. */
class Watching {
  readonly #child: ChildProcess
  #text = ''

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [GENERATE, ...args, '--watch'])
    this.#child.stdout?.on('data', (data) => (this.#text += data))
    this.#child.stderr?.on('data', (data) => (this.#text += data))
    onTestFinished(() => {
      this.#child.kill('SIGKILL')
    })
  }

  async says(pattern: RegExp): Promise<void> {
    const deadline = Date.now() + 60_000
    while (!pattern.test(this.#text) || !/Watching/.test(this.#text)) {
      if (Date.now() > deadline) throw new Error(`It does not say ${pattern}:\n${this.#text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    this.#text = ''
  }

  interrupt(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.on('exit', resolve))
    this.#child.kill('SIGINT')
    return ended
  }
}
