import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { install, pack, removeFolder, temporaryFolder } from './packages.ts'
import { type Started, start } from './processes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A project that holds the packed packages and nothing else. */
    project: string
    /** The archive of the mock server. */
    mockArchive: string
    /** Where the mock server listens, started from its packed package. */
    baseURL: string
  }
}

/** Packs, installs and starts once what all tests share. */
export default async function setup(vitest: TestProject): Promise<() => Promise<void>> {
  const folder = await temporaryFolder()
  let mock: Started | undefined
  const teardown = async () => {
    await mock?.stop()
    await removeFolder(folder)
  }
  try {
    const sdk = await pack('@support-chat/sdk', folder)
    const mockServer = await pack('@support-chat/mock-server', folder)
    const project = path.join(folder, 'project')
    await mkdir(project)
    await install([sdk, mockServer], project)
    const bin = path.join(project, 'node_modules/.bin/support-chat-mock')
    mock = await start([process.execPath, bin, 'serve', '--port', '0'], {
      cwd: project,
    })

    vitest.provide('project', project)
    vitest.provide('mockArchive', mockServer)
    vitest.provide('baseURL', mock.firstLine.replace('Listening on ', ''))
  } catch (error) {
    await teardown()
    throw error
  }
  return teardown
}
