// Serves every OpenAPI document of a folder with our mock server and with Prism, calls the first success of its
// operations, and prints what is answered. `node documents.ts FOLDER [--details]`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Call, callsOf } from './calls.ts'
import { report } from './report.ts'
import { freePort, loopback, serve } from './servers.ts'

const here = import.meta.dirname
const prism = join(here, 'node_modules/@stoplight/prism-cli/dist/index.js')
/** How long a server may take to start, and a call to be answered, in milliseconds. */
const PATIENCE = { start: 120_000, call: 20_000 }
/** How many operations of a document are called, spread over all of them. */
const MOST = 40

const contenders = {
  ours: (file: string, port: string) => [...serve('--stateless', '--contract', file)(port)],
  prism: (file: string, port: string) => [prism, 'mock', '-v', 'error', '-p', port, file],
}

/** What a server makes of a document. */
interface Outcome {
  isServed: boolean
  /** Operations that answer with their first success. */
  answered: number
  /** Operations whose answer is a refusal of the request. */
  refused: number
  /** Operations that fail, answer with another status or do not answer. */
  failed: number
  /** Milliseconds from the start of the process to the first answer. */
  start: number
  /** The failures. */
  details: string[]
}

async function outcomeOf(name: keyof typeof contenders, file: string, calls: Call[]) {
  const port = await freePort()
  const origin = `http://${loopback}:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, contenders[name](file, String(port)), {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const outcome: Outcome = {
    isServed: false,
    answered: 0,
    refused: 0,
    failed: 0,
    start: 0,
    details: [],
  }
  try {
    outcome.isServed = await isUp(origin, () => child.exitCode !== null)
    outcome.start = performance.now() - began
    if (!outcome.isServed) outcome.details.push(errors.join('').slice(0, 500))
    for (const call of outcome.isServed ? calls : []) {
      const status = await statusOf(origin, call, name)
      if (status === call.success) outcome.answered++
      else if ([400, 401, 403, 415, 422].includes(status)) outcome.refused++
      else outcome.failed++
      if (status !== call.success) outcome.details.push(`${status} ${call.method} ${call.path}`)
    }
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  return outcome
}

/** Waits for the first answer to anything. */
async function isUp(origin: string, hasEnded: () => boolean): Promise<boolean> {
  const until = performance.now() + PATIENCE.start
  while (!hasEnded() && performance.now() < until) {
    try {
      await fetch(`${origin}/is-it-up`)
      return true
    } catch {
      await sleep(10)
    }
  }
  return false
}

async function statusOf(
  origin: string,
  { method, path, basePath, headers, body, success }: Call,
  name: string,
): Promise<number> {
  // Prism serves the paths without the base path of the servers.
  const url = `${origin}${name === 'ours' ? basePath : ''}${path}`
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, prefer: `code=${success}` },
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE.call),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** The documents in a folder and below it: no parts of them. */
async function documentsIn(folder: string): Promise<string[]> {
  const found: string[] = []
  for await (const name of glob('**/*.{yaml,yml,json}', { cwd: folder })) {
    const text = await readFile(join(folder, name), 'utf8')
    const isDocument = /^\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\./m.test(text)
    if (isDocument && /\bpaths\b/.test(text)) found.push(name)
  }
  return found.sort()
}

const {
  values: { details },
  positionals: [folder],
} = parseArgs({ allowPositionals: true, options: { details: { type: 'boolean' } } })
if (folder === undefined) throw new Error('Name the folder of the documents.')

const rows: string[][] = []
const total = { ours: { served: 0, answered: 0 }, prism: { served: 0, answered: 0 } }
const worse: string[] = []
const cells = ({ isServed, answered, refused, failed, start }: Outcome) =>
  isServed ? [answered, refused, failed, Math.round(start)].map(String) : ['refused', '', '', '']
const documents = await documentsIn(resolve(folder))
for (const name of documents) {
  const file = join(resolve(folder), name)
  const calls = await callsOf(file, MOST)
  const ours = await outcomeOf('ours', file, calls)
  const theirs = await outcomeOf('prism', file, calls)
  for (const [who, { isServed, answered }] of Object.entries({ ours, prism: theirs })) {
    total[who as 'ours'].served += Number(isServed)
    total[who as 'ours'].answered += answered
  }
  rows.push([name, String(calls.length), ...cells(ours), ...cells(theirs)])
  if (ours.answered < theirs.answered || (theirs.isServed && !ours.isServed)) worse.push(name)
  process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`)
  if (details) {
    for (const line of ours.details) process.stderr.write(`  ours  ${line}\n`)
    for (const line of theirs.details) process.stderr.write(`  prism ${line}\n`)
  }
}
report(
  [
    'document',
    'operations',
    ...['ours', 'Prism'].flatMap((who) => [
      `${who}: success`,
      'request refused',
      'failed',
      'first answer ms',
    ]),
  ],
  rows,
  [
    {
      what: 'served, ours to Prism',
      actual: total.ours.served / total.prism.served,
      limit: 1,
      keep: 'at least',
    },
    {
      what: 'operations that answer, ours to Prism',
      actual: total.ours.answered / total.prism.answered,
      limit: 1,
      keep: 'at least',
    },
  ],
)
process.stdout.write(
  `\nOf ${documents.length} documents, ours serves ${total.ours.served} and Prism ${total.prism.served}; ${total.ours.answered} and ${total.prism.answered} operations answer. Fewer than with Prism: ${worse.join(', ') || 'none'}.\n`,
)
