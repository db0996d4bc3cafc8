/** Generates everything from the contract. `--help` lists the options. */
import { enableCompileCache } from 'node:module'
import type { Outcome } from './pipeline.ts'
import { endWithReader } from './stdout.ts'

// The tools are large: with the code that an earlier run compiled, they start half a second sooner.
enableCompileCache()
const { parse } = await import('./cli.ts')
const { run } = await import('./pipeline.ts')

endWithReader()
const options = parse(process.argv.slice(2))
if ('exit' in options) {
  const stream = options.exit === 0 ? process.stdout : process.stderr
  stream.write(options.text)
  process.exitCode = options.exit
} else if (options.watch) {
  const { watch } = await import('./watch.ts')
  await watch(options, say)
} else {
  process.exitCode = say(await run(options))
}

function say({ exit, said, messages }: Outcome): number {
  for (const line of said) process.stdout.write(`${line}\n`)
  for (const message of messages) process.stderr.write(`${message}\n`)
  return exit
}
