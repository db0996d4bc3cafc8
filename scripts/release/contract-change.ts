/** Writes what follows from a change of the contract. `--help` lists the options. */
import { enableCompileCache } from 'node:module'
import { endWithReader } from '../stdout.ts'

enableCompileCache()
const { Unreadable } = await import('../changes/revision.ts')
const { ROOT } = await import('../repository.ts')
const { surroundingsOf } = await import('../surroundings.ts')
const { change } = await import('./change.ts')
const { parse } = await import('./cli.ts')

endWithReader()
const options = parse(process.argv.slice(2))
if ('exit' in options) {
  const stream = options.exit === 0 ? process.stdout : process.stderr
  stream.write(options.text)
  process.exitCode = options.exit
} else {
  try {
    const today = new Date().toISOString().slice(0, 10)
    const outcome = await change(options, { ...(await surroundingsOf(ROOT)), today })
    process.stdout.write(outcome.stdout)
    process.stderr.write(outcome.stderr)
    process.exitCode = outcome.exit
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  }
}
