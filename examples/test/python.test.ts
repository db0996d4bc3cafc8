import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { programs, pythons, tool } from '../../scripts/toolchain/languages/python.ts'
import { unusedAddress } from './addresses.ts'
import { BODY, delivery, responseOf, SECRET } from './delivery.ts'
import { buildPython, installPython } from './install-python.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, start } from './processes.ts'
import { shownIn } from './readme.ts'
import { receiveAsShown } from './receive.ts'
import { ownSandbox } from './sandboxes.ts'

const example = path.join(repository, 'examples/python')
const sandbox = path.join(repository, 'examples/test/sandbox/python')
const configuration = path.join(repository, 'sdks/python/pyproject.toml')
const readme = path.join(example, 'README.md')
const shown = await shownIn(readme)

// The example in a folder of its own, and the package as users get it.
let shop: string
let archives: { wheel: string; sdist: string }

beforeAll(async () => {
  const folder = await temporaryFolder()
  shop = path.join(folder, 'shop')
  await cp(example, shop, { recursive: true })
  archives = await buildPython(path.join(folder, 'dist'))
  return () => removeFolder(folder)
})

test('the wheel holds the package, its licence and nothing else', async () => {
  const names = await namesIn(archives.wheel)
  const strange = names.filter(
    (name) => !/^support_chat\/(?:\w+\/)*(?:\w+\.py|py\.typed|AGENTS\.md)$/.test(name),
  )
  expect(strange.map((name) => name.replace(/^[^/]+\.dist-info\//, '')).sort()).toEqual([
    'METADATA',
    'RECORD',
    'WHEEL',
    'licenses/LICENSE',
  ])
  expect(names).toContain('support_chat/py.typed')
  expect(names).toContain('support_chat/AGENTS.md')
})

test('the source archive holds what builds and tests the package', async () => {
  const names = await namesIn(archives.sdist)
  const tops = new Set(names.map((name) => name.split('/')[1]))
  const metadata = [
    '.gitignore',
    'AGENTS.md',
    'CHANGELOG.md',
    'LICENSE',
    'PKG-INFO',
    'README.md',
    'pyproject.toml',
  ]
  expect([...tops].sort()).toEqual([...metadata, 'src', 'tests'].sort())
})

test('the archives pass the checks of PyPI and of what a wheel should hold', async () => {
  const cwd = path.dirname(archives.wheel)
  const files = [archives.wheel, archives.sdist]
  await output([programs.twine, '--no-color', 'check', '--strict', ...files], { cwd })
  await output([programs['check-wheel-contents'], archives.wheel], { cwd })
})

describe.each([
  ['the wheel', 'the oldest Python', () => archives.wheel, pythons.oldest],
  ['the wheel', 'the newest Python', () => archives.wheel, pythons.newest],
  ['the source archive', 'the newest Python', () => archives.sdist, pythons.newest],
])('%s in %s', (_what, _where, archive, interpreter) => {
  let folder: string
  let python: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    python = await installPython(archive(), path.join(folder, 'venv'), interpreter)
    return () => removeFolder(folder)
  })

  test('runs the example, which prints what the README shows, and again', async () => {
    const env = ownSandbox()
    for (let times = 0; times < 2; times++) {
      const printed = await output([python, '-W', 'error', 'main.py'], { cwd: shop, env })
      expect(printed).toBe(shown.get('python main.py'))
    }
  })

  test('fails without a base URL and names the command that starts the mock', async () => {
    const { status, stderr } = await run([python, '-W', 'error', 'main.py'], {
      cwd: shop,
      env: { SUPPORT_CHAT_API_KEY: 'sk_test_demo' },
    })
    expect(status).toBe(1)
    expect(stderr).toContain('support-chat-mock serve')
  })

  test('says that nothing was sent where nothing listens', async () => {
    const { status, stdout, stderr } = await run([python, '-W', 'error', 'main.py'], {
      cwd: shop,
      env: ownSandbox(await unusedAddress()),
    })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('(outcome: not_sent)')
  })

  test('runs the receiver, which handles and refuses what the README shows', async () => {
    const printed = await output([python, '-W', 'error', 'rehearse.py'], { cwd: shop })
    expect(printed).toBe(shown.get('python rehearse.py'))
  })

  test('gets events from the mock server as the README shows', async (context) => {
    const PATH = [path.dirname(python), process.env.PATH].join(path.delimiter)
    await receiveAsShown(readme, { cwd: shop, env: { PATH, PYTHONWARNINGS: 'error' } }, context)
  })

  test('receives deliveries over HTTP', async ({ onTestFinished }) => {
    const server = await start([python, '-W', 'error', 'receive.py'], {
      cwd: shop,
      env: { PORT: '0', SUPPORT_CHAT_WEBHOOK_SECRET: SECRET },
    })
    onTestFinished(async () => {
      await server.stop()
    })
    const address = server.firstLine.replace('Receiving events on ', '')
    expect(await responseOf(address, { method: 'GET' })).toEqual([405, ''])
    expect(await responseOf(address, delivery())).toEqual([204, ''])
    expect(await responseOf(address, delivery())).toEqual([204, ''])
    expect(await responseOf(address, { ...delivery(), body: `${BODY} ` })).toEqual([401, ''])
  })

  test('gives mypy the types of the package', async () => {
    const flags = ['--strict', '--cache-dir', path.join(folder, 'mypy')]
    const programs = ['main.py', 'receive.py', 'rehearse.py', sandbox]
    const command = [tool('mypy'), ...flags, '--python-executable', python, ...programs]
    const printed = await output(command, { cwd: shop })
    expect(printed).toMatch(/^Success: no issues found/)
  })
})

test('the programs are formatted, and ruff finds nothing in them', async () => {
  const flags = ['--no-cache', '--config', configuration]
  await output([tool('ruff'), 'check', ...flags, '.', sandbox], { cwd: shop })
  await output([tool('ruff'), 'format', '--check', ...flags, '.', sandbox], { cwd: shop })
})

/** The paths of what an archive holds. */
async function namesIn(archive: string): Promise<string[]> {
  const open = archive.endsWith('.whl')
    ? 'zipfile.ZipFile(path).namelist'
    : 'tarfile.open(path).getnames'
  const program = `import sys, tarfile, zipfile; path = sys.argv[1]; print(*${open}(), sep="\\n")`
  const printed = await output([pythons.newest, '-c', program, archive], { cwd: shop })
  return printed.trim().split('\n')
}
