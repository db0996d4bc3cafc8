import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { packAll } from '../../scripts/pack/folder.ts'
import { TARGETS } from '../../scripts/pack/targets.ts'
import { startPostgres } from '../../scripts/services/postgres.ts'
import { startRedis } from '../../scripts/services/redis.ts'
import { install, removeFolder, temporaryFolder } from './packages.ts'
import { type Started, start } from './processes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A project that holds the packed packages and nothing else. */
    project: string
    /** The folder with the packages of all languages, as integrators get it. */
    packs: string
    /** The archive of the mock server. */
    mockArchive: string
    /** Where the mock server listens, started from its packed package. */
    baseURL: string
  }
}

/** Packs, installs and starts once what all tests share. The tests find the databases in their environment. */
export default async function setup(vitest: TestProject): Promise<() => Promise<void>> {
  const folder = await temporaryFolder()
  let server: Started | undefined
  const databases: Array<() => Promise<void>> = []
  const teardown = async () => {
    await server?.stop()
    for (const stop of databases) await stop()
    await removeFolder(folder)
  }
  try {
    const packs = path.join(folder, 'packs')
    const archives = new Map<string, string>()
    await packAll(TARGETS, packs, ({ name }, [file = '']) => {
      archives.set(name, path.join(packs, file))
    })
    const [sdk = '', mockServer = ''] = ['typescript', 'mock-server'].map((one) =>
      archives.get(one),
    )
    const project = path.join(folder, 'project')
    await mkdir(project)
    await install([sdk, mockServer], project)
    const bin = path.join(project, 'node_modules/.bin/support-chat-mock')
    server = await start([process.execPath, bin, 'serve', '--port', '0'], {
      cwd: project,
    })

    await chmod(folder, 0o755) // for the account of PostgreSQL
    for (const [name, startDatabase] of [
      ['redis', startRedis],
      ['postgres', startPostgres],
    ] as const) {
      const variable = `TEST_${name.toUpperCase()}_URL`
      if (process.env[variable]) continue
      await mkdir(path.join(folder, name))
      const service = await startDatabase(path.join(folder, name))
      databases.push(() => service.stop())
      process.env[variable] = service.url
    }

    vitest.provide('project', project)
    vitest.provide('packs', packs)
    vitest.provide('mockArchive', mockServer)
    vitest.provide('baseURL', server.firstLine.replace('Listening on ', ''))
  } catch (error) {
    await teardown()
    throw error
  }
  return teardown
}
