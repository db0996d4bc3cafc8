import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bun, deno } from '../../../scripts/toolchain/packages.ts'
import { compile } from '../compile.ts'
import type { Support } from '../languages.ts'
import { repository } from '../packages.ts'
import { type Files, searched, written } from '../projects.ts'
import { DATABASE, PROBE } from './typescript-fixtures.ts'

export const support: Support = {
  readme: {
    write: programOf,
    prepare: (project) =>
      writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n'),
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
      await mkdir(path.join(folder, 'node_modules'))
      for (const installed of ['express', '@types', 'vitest']) {
        const target = path.join(folder, 'node_modules', installed)
        await symlink(path.join(repository, 'node_modules', installed), target)
      }
      const env = {
        PATH: searched(
          ...[process.execPath, deno(), bun()].map((program) => path.dirname(program)),
        ),
      }
      const options = { module: 'nodenext', noEmit: true, allowImportingTsExtensions: true }
      return { folder, env, check: () => compile(folder, 'TypeScript 5.9', options) }
    },
    database: DATABASE,
    probe: PROBE,
  },
  async sandbox(sources, _folder, npm) {
    const programs = path.join(npm, 'sandbox')
    await cp(path.join(sources, 'typescript'), programs, { recursive: true })
    return { command: (name) => [process.execPath, path.join(programs, `${name}.ts`)] }
  },
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
  const calls = others.filter((code) => !receivers.includes(code))
  const modules = receivers.map((code, index) => {
    const given = SECRET + (code.includes('rawBody') ? DELIVERY : '')
    // On a port of its own, and only as long as the rest of the program runs.
    const body = bodyOf(code).replace('.listen(8080)', '.listen(0).unref()')
    return [`receiver-${index}.ts`, [...importsOf(code), given, body].join('')] as const
  })
  const main = [
    ...new Set([first, ...calls].flatMap(importsOf)),
    bodyOf(first),
    ...calls.map((code) => `{\n${bodyOf(code)}}\n`),
    ...modules.map(([name]) => `await import(new URL('${name}', import.meta.url).href)\n`),
  ]
  return { 'main.ts': main.join(''), ...Object.fromEntries(modules) }
}
