/** Says what a change of the contract does to users of the SDKs. `--help` lists the options. */
import { enableCompileCache } from 'node:module'
import { styleText } from 'node:util'
import { endWithReader } from './stdout.ts'

enableCompileCache()
const { parse } = await import('./changes/cli.ts')
const { diff } = await import('./changes/diff.ts')
const { Unreadable } = await import('./changes/revision.ts')
const { ROOT } = await import('./repository.ts')
const { surroundingsOf } = await import('./surroundings.ts')

endWithReader()
const options = parse(process.argv.slice(2))
if ('exit' in options) {
  const stream = options.exit === 0 ? process.stdout : process.stderr
  stream.write(options.text)
  process.exitCode = options.exit
} else {
  try {
    const outcome = await diff(options, {
      ...(await surroundingsOf(ROOT)),
      today: new Date().toISOString().slice(0, 10),
      // Plain where the output is no terminal, or NO_COLOR is set.
      paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    })
    process.stdout.write(outcome.stdout)
    process.stderr.write(outcome.stderr)
    process.exitCode = outcome.exit
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  }
}
