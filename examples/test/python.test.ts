import { createHmac } from 'node:crypto'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { tool } from '../../scripts/toolchain/environment.ts'
import { pythons } from '../../scripts/toolchain/programs.ts'
import { unusedAddress } from './addresses.ts'
import { buildPython, installPython } from './install-python.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, start } from './processes.ts'
import { shownIn } from './readme.ts'

const example = path.join(repository, 'examples/python')
const configuration = path.join(repository, 'sdks/python/pyproject.toml')
const env = { SUPPORT_CHAT_API_KEY: 'sk_test_demo', SUPPORT_CHAT_BASE_URL: inject('baseURL') }
const shown = await shownIn(path.join(example, 'README.md'))

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
    (name) => !/^support_chat\/(?:\w+\/)*(?:\w+\.py|py\.typed)$/.test(name),
  )
  expect(strange.map((name) => name.replace(/^[^/]+\.dist-info\//, '')).sort()).toEqual([
    'METADATA',
    'RECORD',
    'WHEEL',
    'licenses/LICENSE',
  ])
  expect(names).toContain('support_chat/py.typed')
})

test('the source archive holds what builds and tests the package', async () => {
  const names = await namesIn(archives.sdist)
  const tops = new Set(names.map((name) => name.split('/')[1]))
  const metadata = ['.gitignore', 'LICENSE', 'PKG-INFO', 'README.md', 'pyproject.toml']
  expect([...tops].sort()).toEqual([...metadata, 'src', 'tests'].sort())
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

  test('runs the example, which prints what the README shows', async () => {
    const printed = await output([python, '-W', 'error', 'main.py'], { cwd: shop, env })
    expect(printed).toBe(shown.get('python main.py'))
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
      env: { ...env, SUPPORT_CHAT_BASE_URL: await unusedAddress() },
    })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('(outcome: not_sent)')
  })

  test('runs the receiver, which handles and refuses what the README shows', async () => {
    const printed = await output([python, '-W', 'error', 'rehearse.py'], { cwd: shop })
    expect(printed).toBe(shown.get('python rehearse.py'))
  })

  test('answers deliveries that come over HTTP', async ({ onTestFinished }) => {
    const secret = 'whsec_test'
    const server = await start([python, '-W', 'error', 'receive.py'], {
      cwd: shop,
      env: { PORT: '0', SUPPORT_CHAT_WEBHOOK_SECRET: secret },
    })
    onTestFinished(async () => {
      await server.stop()
    })
    const address = server.firstLine.replace('Receiving events on ', '')

    const body = JSON.stringify({
      event: 'conversation.handoff',
      id: 'evt_1',
      occurred_at: '2026-03-02T09:21:48Z',
      data: { conversation_id: 'conv_1', reason: 'Il veut parler à quelqu’un 🙋' },
    })
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const deliver = async (init: RequestInit) => {
      const headers = { 'content-type': 'application/json', 'x-service-signature': signature }
      const response = await fetch(address, { method: 'POST', headers, ...init })
      return [response.status, await response.text()]
    }
    expect(await deliver({ method: 'GET' })).toEqual([405, ''])
    expect(await deliver({ body })).toEqual([204, ''])
    expect(await deliver({ body })).toEqual([204, ''])
    expect(await deliver({ body: `${body} ` })).toEqual([401, ''])
  })

  test('gives mypy the types of the package', async () => {
    const flags = ['--strict', '--cache-dir', path.join(folder, 'mypy')]
    const programs = ['main.py', 'receive.py', 'rehearse.py']
    const command = [tool('mypy'), ...flags, '--python-executable', python, ...programs]
    const printed = await output(command, { cwd: shop })
    expect(printed).toMatch(/^Success: no issues found/)
  })
})

test('the example is formatted, and ruff finds nothing in it', async () => {
  const flags = ['--no-cache', '--config', configuration]
  await output([tool('ruff'), 'check', ...flags, '.'], { cwd: shop })
  await output([tool('ruff'), 'format', '--check', ...flags, '.'], { cwd: shop })
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
