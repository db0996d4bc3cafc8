import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bun, deno, fileOf } from '../../../scripts/toolchain/packages.ts'
import { compile } from '../compile.ts'
import type { Support } from '../languages.ts'
import { repository } from '../packages.ts'
import { type Files, searched, written } from '../projects.ts'
import { DATABASE, PROBE } from './typescript-fixtures.ts'

export const support: Support = {
  readme: {
    write: programOf,
    async prepare(project) {
      await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
      await linkMsw(project)
    },
    env: () => ({ PATH: searched(path.dirname(process.execPath)) }),
    run: () => [process.execPath, 'main.ts'],
    check: (_project, folder) =>
      compile(folder, 'TypeScript 5.9', {
        ...{ module: 'nodenext', noEmit: true, allowImportingTsExtensions: true },
      }),
  },
  guide: {
    async create(files, { npm, name }) {
      const folder = await written(path.join(npm, name), files)
      const modules = path.join(repository, 'node_modules')
      const types = (await readdir(path.join(modules, '@types'))).map((name) => `@types/${name}`)
      const own = ['express', 'msw', 'vitest', ...types].map((name) => [
        name,
        path.join(modules, name),
      ])
      const clients = ['ioredis', 'pg', '@types/pg'].map((name) => {
        return [name, path.dirname(fileOf(`${name}/package.json`))]
      })
      await linked(folder, Object.fromEntries([...own, ...clients]))
      await linkMsw(npm)
      const { TEST_REDIS_URL: REDIS_URL = '', TEST_POSTGRES_URL: DATABASE_URL = '' } = process.env
      const env = {
        REDIS_URL,
        DATABASE_URL,
        PATH: searched(
          ...[process.execPath, deno(), bun()].map((program) => path.dirname(program)),
        ),
      }
      const options = { module: 'nodenext', noEmit: true, allowImportingTsExtensions: true }
      return { folder, env, check: () => compile(folder, 'TypeScript 5.9', options) }
    },
    receiver: 'receiver.ts',
    database: DATABASE,
    probe: PROBE,
  },
  async sandbox(sources, _folder, npm) {
    const programs = path.join(npm, 'sandbox')
    await cp(path.join(sources, 'typescript'), programs, { recursive: true })
    return { command: (name) => [process.execPath, path.join(programs, `${name}.ts`)] }
  },
}

/** Links packages into a folder, by name. */
async function linked(folder: string, packages: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, target] of Object.entries(packages)) {
    const link = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    if (!existsSync(link)) await symlink(target, link)
  }
}

/** Links the optional peer above a project, where the SDK finds it and no installation removes it. */
function linkMsw(project: string): Promise<void> {
  return linked(path.dirname(project), { msw: path.join(repository, 'node_modules/msw') })
}

/** What the TypeScript README leaves to its readers: a secret, and a delivery that came in. */
const SECRET = "const secret = 'whsec_test'\n"
const DELIVERY = `
const rawBody = JSON.stringify({
  event: 'conversation.created',
  id: 'evt_1',
  occurred_at: '2026-03-02T09:21:48Z',
  data: { conversation_id: 'conv_of_the_event' },
})
const request = { headers: { 'x-service-signature': await Webhooks.sign(rawBody, secret) } }
`

function programOf([first = '', ...others]: readonly string[]): Files {
  const isImport = /^import .*\n/gm
  const importsOf = (code: string) => code.match(isImport) ?? []
  const bodyOf = (code: string) => code.replace(isImport, '')
  // What receives events needs no client, and its imports would clash: each is a module of its own.
  const receivers = others.filter((code) => code.includes('/webhooks'))
  const mocks = others.filter((code) => code.includes("/msw'"))
  const calls = others.filter((code) => ![...receivers, ...mocks].includes(code))
  const modules = receivers.map((code, index) => {
    const given = SECRET + (code.includes('rawBody') ? DELIVERY : '')
    // On a port of its own, and only as long as the rest of the program runs.
    const body = bodyOf(code).replace('.listen(8080)', '.listen(0).unref()')
    return [`receiver-${index}.ts`, [...importsOf(code), given, body].join('')] as const
  })
  // Last, because they stand in for the API.
  const mocked = mocks.map(
    (code, index) => [`mocks-${index}.ts`, `${code}server.close()\n`] as const,
  )
  const main = [
    ...new Set([first, ...calls].flatMap(importsOf)),
    bodyOf(first),
    ...calls.map((code) => `{\n${bodyOf(code)}}\n`),
    ...[...modules, ...mocked].map(
      ([name]) => `await import(new URL('${name}', import.meta.url).href)\n`,
    ),
  ]
  return { 'main.ts': main.join(''), ...Object.fromEntries([...modules, ...mocked]) }
}
