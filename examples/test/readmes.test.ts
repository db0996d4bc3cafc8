import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { registries } from '../../scripts/toolchain/registries.ts'
import { languages } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output } from './processes.ts'
import { codeIn, printedBy, shownIn } from './readme.ts'
import { releasedExample, releasedReadme, reportedBreaks, sourcesIn } from './released.ts'
import { ownSandbox, type Settings } from './sandboxes.ts'

/** What the tests' set-up stands in for: it starts the mock server. */
const BY_SET_UP = 'npx --no support-chat-mock serve'

const folder = await temporaryFolder()
afterAll(() => removeFolder(folder))

describe.each(languages)("the $name SDK's README", ({ name, fence, readme: language }) => {
  const readme = path.join(repository, 'sdks', name, 'README.md')
  const project = path.join(folder, name)
  const env = { ...registries, ...language.env(project) }

  beforeAll(async () => {
    await mkdir(project)
    await language.prepare?.(project)
    for (const command of (await codeIn(readme, 'sh')).join('').trim().split('\n')) {
      if (command === BY_SET_UP) continue
      const here = command.replaceAll('/path/to/packs', inject('packs'))
      await output(['sh', '-ec', here], { cwd: project, env })
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
    const blocks = await codeIn(readme, fence)
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

  test('has a page for coding agents beside it, whose code runs and prints what it says', async () => {
    const blocks = await codeIn(path.join(path.dirname(readme), 'AGENTS.md'), fence)
    expect(blocks.length).toBeGreaterThan(3)
    const printed = (await run(blocks, 'agents', ownSandbox())).split('\n')
    const promised = blocks.flatMap(printedBy)
    expect(promised.length).toBeGreaterThan(1)
    expect(printed).toEqual(expect.arrayContaining(promised))
    await language.check?.(project, path.join(project, 'agents'))
  })

  test("still runs the code of the last release's README, or the report names the break", async () => {
    const blocks = await codeIn(releasedReadme(name), fence)
    expect(blocks.length).toBeGreaterThan(4)
    if ((await faultOf(blocks, 'released')) === null) return

    const [first = '', ...others] = blocks
    for (const [index, block] of others.entries()) {
      const fault = await faultOf([first, block], `released-${index}`)
      if (fault !== null) {
        expect(reportedBreaks(name, first + block), `${fault}\n${block}`).not.toEqual([])
      }
    }
  })

  test('still runs the example of the last release, or the report names the break', async () => {
    const folder = path.join(project, 'example')
    await cp(releasedExample(name), folder, { recursive: true })
    const shown = await shownIn(path.join(folder, 'README.md'))
    const programs = [...shown].filter(([command]) => !/^npx |…/.test(command))
    expect(programs.length).toBeGreaterThan(0)
    try {
      for (const [command, printed] of programs) {
        const settings = { cwd: folder, env: { ...env, ...ownSandbox() } }
        expect(await output(['sh', '-ec', command], settings)).toBe(printed)
      }
      await language.check?.(project, folder)
    } catch (fault) {
      expect(reportedBreaks(name, await sourcesIn(folder)), String(fault)).not.toEqual([])
    }
  })

  /** Why a program does not run or is not accepted; null where nothing is wrong. */
  async function faultOf(blocks: readonly string[], place: string): Promise<string | null> {
    try {
      await run(blocks, place, ownSandbox())
      await language.check?.(project, path.join(project, place))
      return null
    } catch (error) {
      return String(error)
    }
  }

  test('shows how to tell errors apart', async ({ onTestFinished }) => {
    const [first = '', ...others] = await codeIn(readme, fence)
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
      expect.stringMatching(/^not found: .*no_such_thing/),
      '403 no_such_thing req_1',
      expect.stringMatching(/\b(?:120|2m0s)\b/),
    ])
  })
})

test('every SDK has such a README', async () => {
  const folders = await readdir(path.join(repository, 'sdks'), { withFileTypes: true })
  const sdks = folders.filter((entry) => entry.isDirectory() && entry.name !== 'conformance')
  expect(sdks.map((entry) => entry.name).sort()).toEqual(languages.map(({ name }) => name).sort())
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
