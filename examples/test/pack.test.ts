import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registries } from '../../scripts/toolchain/registries.ts'
import { languages } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { type Finished, output, run } from './processes.ts'
import { written } from './projects.ts'
import { codeIn } from './readme.ts'
import { ownSandbox } from './sandboxes.ts'

const folder = await temporaryFolder()
afterAll(() => removeFolder(folder))
const packs = path.join(folder, 'packs')
let packed: Finished

beforeAll(async () => {
  packed = await packAll('--out', packs)
})

test('every package is packed, with a page that says how to install it', async () => {
  expect(packed).toMatchObject({ status: 0, stderr: '' })
  const page = await readFile(path.join(packs, 'INSTALL.md'), 'utf8')
  const files = (await sums(packs)).map(([, file]) => file)
  for (const file of files) {
    expect((await readFile(path.join(packs, file))).length).toBeGreaterThan(0)
    if (file !== 'INSTALL.md') expect(packed.stdout).toContain(`: ${file}\n`)
  }
  expect(page).not.toMatch(/\{\{|undefined/)
  expect((await readdir(packs)).length).toBe(8)
})

test('the same files are packed into the same bytes', async () => {
  const again = path.join(folder, 'again')
  expect(await packAll('--out', again)).toMatchObject({ status: 0 })
  expect(await sums(again)).toEqual(await sums(packs))
})

describe.each(languages)('from the folder, $name', ({ name, fence, readme }) => {
  const project = path.join(folder, name)
  // No cache of the machine has what was packed before under the same version.
  const GOMODCACHE = path.join(folder, 'modules')
  const caches = { PACKS: packs, GOMODCACHE, GOFLAGS: '-modcacherw', GOSUMDB: 'off' }
  const env = { ...registries, ...caches, ...readme.env(project) }
  let commands: string[]

  beforeAll(async () => {
    await mkdir(project)
    await readme.prepare?.(project)
    const page = await readFile(path.join(packs, 'INSTALL.md'), 'utf8')
    const title = new RegExp(`^## ${name}$`, 'im')
    const [part = ''] = page.split(title)[1]?.split(/^## /m) ?? []
    const own = await written(path.join(project, 'page'), { 'INSTALL.md': part })
    commands = await codeIn(path.join(own, 'INSTALL.md'), 'sh')
    await output(['sh', '-ec', commands[0] ?? ''], { cwd: project, env })
  })

  test('is installed by the commands of the page, and makes the first call', async () => {
    expect(await firstCall()).toBe('conv_01J2Z7Q4KX open\n')
  })

  test('is installed by the other commands of the page, if it has some', async () => {
    for (const other of commands.slice(1)) {
      await output(['sh', '-ec', other], { cwd: project, env })
      expect(await firstCall()).toBe('conv_01J2Z7Q4KX open\n')
    }
  })

  async function firstCall(): Promise<string> {
    const [client = ''] = await codeIn(path.join(repository, 'docs/start.md'), fence)
    const cwd = await written(path.join(project, 'first'), readme.write([client]))
    return output(readme.run(project), { cwd, env: { ...env, ...ownSandbox() } })
  }
})

test('only what is asked for is packed, in place of what an earlier run has left', async () => {
  const out = path.join(folder, 'some')
  await packAll('--out', out, '--only', 'mock-server,ruby')
  expect(await packAll('--out', out, '--only', 'mock-server')).toMatchObject({ status: 0 })
  expect(await readdir(out)).toEqual([
    'INSTALL.md',
    'SHA256SUMS',
    expect.stringMatching(/^[\w-]+mock-server-[\d.]+\.tgz$/),
  ])
})

test('a folder that holds something else stays as it is', async () => {
  const out = await written(path.join(folder, 'mine'), { 'letter.txt': 'Dear reader' })
  const { status, stderr } = await packAll('--out', out, '--only', 'mock-server')
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('--out') })
  expect(await readdir(out)).toEqual(['letter.txt'])
})

test('a missing toolchain is named, with what to install', async () => {
  const out = path.join(folder, 'none')
  const PATH = path.join(folder, 'bin')
  await mkdir(PATH)
  const { status, stderr } = await packAllIn({ PATH }, '--out', out, '--only', 'mock-server,ruby')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Ruby: Install .*\nOr leave .*--only/)
  await expect(readdir(out)).rejects.toThrow()
})

test.each([
  [['--only', 'cobol'], 'cobol'],
  [['--out', ''], '--out'],
  [['--fast'], '--fast'],
])('%j is wrong usage', async (options, named) => {
  const { status, stderr } = await packAll(...options)
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(named) })
  expect(stderr).toContain('Usage: npm run pack:all')
})

test('--help says what the options are', async () => {
  const { status, stdout } = await packAll('--help')
  expect(status).toBe(0)
  expect(stdout).toContain('--only NAMES')
})

function packAll(...options: string[]): Promise<Finished> {
  return packAllIn({}, ...options)
}

/** Runs the command with what the tests' set-up has built. */
function packAllIn(env: Record<string, string>, ...options: string[]): Promise<Finished> {
  const script = path.join(repository, 'scripts/pack.ts')
  const command = [process.execPath, script, '--no-build', ...options]
  return run(command, { cwd: folder, env: { ...registries, ...env } })
}

/** The digests of a folder, by its files. */
async function sums(of: string): Promise<[digest: string, file: string][]> {
  const text = await readFile(path.join(of, 'SHA256SUMS'), 'utf8')
  return Array.from(text.matchAll(/^(\S+) {2}(.*)$/gm), ([, sum = '', file = '']) => [sum, file])
}
