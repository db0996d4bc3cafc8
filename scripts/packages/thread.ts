/** Makes the packages of one language in a thread. The parent's side of it is threads.ts. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Request, Response } from './threads.ts'

enableCompileCache()
const { LANGUAGES } = await import('../languages.ts')
const { loadMaker } = await import('./make.ts')

const language = LANGUAGES.find(({ name }) => name === workerData)
if (!language) throw new Error(`There is no language ${workerData}`)
const maker = await loadMaker(language)

parentPort?.on('message', async ({ method, args }: Request) => {
  let response: Response
  try {
    response = { value: await (maker[method] as (...args: unknown[]) => unknown)(...args) }
  } catch (error) {
    response = { error }
  }
  parentPort?.postMessage(response)
})
