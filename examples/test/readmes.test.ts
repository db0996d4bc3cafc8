import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { programs as go } from '../../scripts/toolchain/languages/go.ts'
import { pythons, programs as tools } from '../../scripts/toolchain/languages/python.ts'
import { programs as ruby } from '../../scripts/toolchain/languages/ruby.ts'
import { compile } from './compile.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output } from './processes.ts'
import { codeIn, printedBy } from './readme.ts'
import * as written from './readme-programs.ts'
import { registries } from './registries.ts'
import { ownSandbox, type Settings } from './sandboxes.ts'

interface Language {
  fence: string
  /** Makes of blocks the files of a program. */
  write(blocks: readonly string[]): written.Files
  /** Prepares a project, in which the README's commands then install the package. */
  prepare?(project: string): Promise<void>
  /** What finds the project's own programs and packages. */
  env(project: string): Record<string, string>
  run(project: string): string[]
  /** What else has to accept the program. */
  check?(project: string, folder: string): Promise<unknown>
}

/** Where the README's commands go, other than to the project: into a clone of the repository. */
const IN_CLONE = /^(?:npm pack|gem build)/

/** Commands that the tests' set-up stands in for: it builds, and starts the mock server. */
const BY_SET_UP = new Set(['npm install && npm run build', 'npx --no support-chat-mock serve'])

const languages: Record<'typescript' | 'python' | 'ruby' | 'go', Language> = {
  typescript: {
    fence: 'ts',
    write: written.typescript,
    prepare: (project) =>
      writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n'),
    env: () => ({ PATH: searched(path.dirname(process.execPath)) }),
    run: () => [process.execPath, 'main.ts'],
    check: (_project, folder) =>
      compile(folder, 'TypeScript 5.9', { module: 'nodenext', noEmit: true }),
  },
  python: {
    fence: 'python',
    write: written.python,
    prepare: async (project) => {
      const flags = ['--quiet', '--seed', '--python', pythons.newest]
      await output([tools.uv, 'venv', ...flags, 'venv'], { cwd: project, env: registries })
    },
    env: (project) => ({ PATH: searched(path.join(project, 'venv/bin')) }),
    run: (project) => [path.join(project, 'venv/bin/python'), '-W', 'error', 'main.py'],
  },
  ruby: {
    fence: 'ruby',
    write: written.ruby,
    env: (project) => {
      const home = path.join(project, 'gems')
      return { GEM_HOME: home, GEM_PATH: home, PATH: searched(path.dirname(ruby.ruby)) }
    },
    run: () => [ruby.ruby, 'main.rb'],
  },
  go: {
    fence: 'go',
    write: written.go,
    prepare: async (project) => {
      await output([go.go, 'mod', 'init', 'example.com/shop'], { cwd: project })
    },
    env: () => ({ PATH: searched(path.dirname(go.go)) }),
    run: () => [go.go, 'run', '.'],
    check: (project, folder) =>
      output([go.go, 'vet', '.'], {
        cwd: folder,
        env: { ...registries, ...languages.go.env(project) },
      }),
  },
}

const folder = await temporaryFolder()
afterAll(() => removeFolder(folder))

describe.each(Object.entries(languages))("the %s SDK's README", (name, language) => {
  const readme = path.join(repository, 'sdks', name, 'README.md')
  const project = path.join(folder, name)
  const env = { ...registries, ...language.env(project) }

  beforeAll(async () => {
    await mkdir(project)
    await language.prepare?.(project)
    for (const command of (await codeIn(readme, 'sh')).join('').trim().split('\n')) {
      if (BY_SET_UP.has(command)) continue
      const here = command
        .replaceAll('/tmp', folder)
        .replaceAll('/path/to/clone/', `${repository}/`)
      const cwd = IN_CLONE.test(command) ? repository : project
      await output(['sh', '-ec', here], { cwd, env })
    }
  })

  /** Writes a program into a folder of the project and says what it prints in a sandbox. */
  async function run(blocks: readonly string[], place: string, sandbox: Settings): Promise<string> {
    const cwd = path.join(project, place)
    await mkdir(cwd)
    for (const [file, content] of Object.entries(language.write(blocks))) {
      const here = content
        .replaceAll('http://127.0.0.1:4010', sandbox.SUPPORT_CHAT_BASE_URL)
        .replaceAll('sk_test_demo', sandbox.SUPPORT_CHAT_API_KEY)
      await writeFile(path.join(cwd, file), here)
    }
    return output(language.run(project), { cwd, env })
  }

  test('shows code that runs and prints what it says', async () => {
    const blocks = await codeIn(readme, language.fence)
    expect(blocks.length).toBeGreaterThan(4)

    const sandbox = ownSandbox()
    const printed = (await run(blocks, 'all', sandbox)).split('\n')

    const promised = blocks.flatMap(printedBy)
    expect(promised.length).toBeGreaterThan(0)
    expect(printed).toEqual(expect.arrayContaining(promised))
    if (name === 'typescript') expect(printed).toContain('conv_of_the_event')
    expect(await transcriptIn(sandbox)).toContain(
      'The carrier left it with your neighbour at number 12.',
    )
    await language.check?.(project, path.join(project, 'all'))
  })

  test('installs what the first README needs', async () => {
    const [client = ''] = await codeIn(path.join(repository, 'README.md'), language.fence)
    expect(await run([client], 'first', ownSandbox())).toBe('conv_01J2Z7Q4KX\n')
  })

  test('shows how to tell errors apart', async ({ onTestFinished }) => {
    const [first = '', ...others] = await codeIn(readme, language.fence)
    const errors = others.filter((code) => code.includes('NotFoundError'))
    expect(errors).toHaveLength(1)
    const server = await failing([404, 403, 429])
    onTestFinished(server.close)

    const printed = await run(
      [first, ...errors, ...errors, ...errors],
      'errors',
      ownSandbox(server.url),
    )

    const [, ...lines] = printed.trim().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^not there: .*no_such_thing/),
      '403 no_such_thing req_1',
      expect.stringMatching(/\b(?:120|2m0s)\b/),
    ])
  })
})

test('every SDK has such a README', async () => {
  const folders = await readdir(path.join(repository, 'sdks'), { withFileTypes: true })
  const sdks = folders.filter((entry) => entry.isDirectory() && entry.name !== 'conformance')
  expect(sdks.map((entry) => entry.name).sort()).toEqual(Object.keys(languages).sort())
})

/** A service that responds to the first request like the mock server, and to the others with problems. */
async function failing(statuses: number[]): Promise<{ url: string; close(): Promise<void> }> {
  const remaining = [...statuses]
  let isFirst = true
  const server = createServer(async (request, response) => {
    if (isFirst) {
      isFirst = false
      const headers = { authorization: request.headers.authorization ?? '' }
      const upstream = await fetch(inject('baseURL') + request.url, { headers })
      response.setHeader('content-type', 'application/json').end(await upstream.text())
      return
    }
    response.writeHead(remaining.shift() ?? 500, {
      'content-type': 'application/problem+json',
      'x-request-id': 'req_1',
      'retry-after': '120',
    })
    response.end(JSON.stringify({ code: 'no_such_thing', detail: 'It is not here.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** What was written in the conversation that the READMEs post to. */
async function transcriptIn(sandbox: Settings): Promise<string[]> {
  const url = `${sandbox.SUPPORT_CHAT_BASE_URL}/v1/conversations/conv_01J2Z8M3VN`
  const headers = { authorization: `Bearer ${sandbox.SUPPORT_CHAT_API_KEY}` }
  const response = await fetch(url, { headers })
  const { transcript } = (await response.json()) as { transcript: { text: string }[] }
  return transcript.map(({ text }) => text)
}

/** The programs of a folder, then those that are found anyway. */
function searched(first: string): string {
  return [first, process.env.PATH].join(path.delimiter)
}
