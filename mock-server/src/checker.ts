/** The thread that checks a contract, beside the one that serves it. */
import { parentPort, workerData } from 'node:worker_threads'
import { problemsOf } from './contract/check.ts'

parentPort?.postMessage(await problemsOf(workerData as string))
