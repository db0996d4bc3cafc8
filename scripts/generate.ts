/** Generates everything from the contract. `--help` lists the options. */
import { enableCompileCache } from 'node:module'

// The tools are large: with the code that an earlier run compiled, they start half a second sooner.
enableCompileCache()
const { parse } = await import('./cli.ts')
const { run } = await import('./pipeline.ts')

const options = parse(process.argv.slice(2))
if ('exit' in options) {
  const stream = options.exit === 0 ? process.stdout : process.stderr
  stream.write(options.text)
  process.exitCode = options.exit
} else {
  const { exit, messages } = await run(options)
  for (const message of messages) process.stderr.write(`${message}\n`)
  process.exitCode = exit
}
