import { unwatchFile, watchFile } from 'node:fs'
import { resolve } from 'node:path'
import type { Options } from './cli.ts'
import { inputsOf, type Outcome, run } from './pipeline.ts'

/** How often a file is looked at. Polling sees what editors replace, and works in every file system. */
const INTERVAL = 250

/** A change comes in several steps: this long after the last one, the file is whole. */
const SETTLE = 100

/** Generates, and again whenever an input changes. Resolves when the process is interrupted. */
export async function watch(options: Options, say: (outcome: Outcome) => void): Promise<void> {
  const watched = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(generate)
    }, SETTLE)
  }
  const follow = (files: readonly string[]) => {
    for (const file of files.map((path) => resolve(path))) {
      if (watched.has(file)) continue
      watched.add(file)
      watchFile(file, { interval: INTERVAL }, changed)
    }
  }
  const generate = async () => {
    try {
      const outcome = await run(options)
      follow(outcome.inputs)
      say(outcome)
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    }
    process.stdout.write(`Watching ${watched.size} files. Ctrl+C ends.\n`)
  }

  const interrupted = new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
  })
  // Before they are read, so that no edit in between is missed.
  follow(inputsOf(options))
  running = generate()
  await interrupted
  clearTimeout(timer)
  for (const file of watched) unwatchFile(file)
  await running
}
