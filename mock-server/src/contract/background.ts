/** Checks a contract in a thread of its own, so that no request waits for it. */
import { Worker } from 'node:worker_threads'
import { CHECKER } from '../assets.ts'

/** How much memory a check may use, in megabytes. */
const MEMORY = 2048

/** @returns what is wrong with a document, a line each; that the check failed is one, too */
export function problemsInThread(file: string): Promise<string[]> {
  return new Promise((resolve) => {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY }
    const worker = new Worker(CHECKER, { workerData: file, resourceLimits })
    worker.unref()
    worker.once('message', resolve)
    worker.once('error', ({ message }) => {
      resolve([`${file}: The document was not checked to the end: ${message}`])
    })
  })
}
