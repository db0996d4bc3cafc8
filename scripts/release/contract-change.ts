/** Writes what follows from a change of the contract. `--help` lists the options. */
import { enableCompileCache } from 'node:module'
import type { Options } from './cli.ts'

enableCompileCache()
const { runCommand } = await import('../command.ts')
const { ROOT } = await import('../repository.ts')
const { surroundingsOf } = await import('../surroundings.ts')
const { change } = await import('./change.ts')
const { parse } = await import('./cli.ts')

await runCommand<Options>(parse(process.argv.slice(2)), async (options) =>
  change(options, {
    ...(await surroundingsOf(ROOT)),
    today: new Date().toISOString().slice(0, 10),
  }),
)
