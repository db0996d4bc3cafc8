/** Says what a change of the contract does to users of the SDKs. `--help` lists the options. */
import { enableCompileCache } from 'node:module'
import { styleText } from 'node:util'
import type { Options } from './changes/cli.ts'

enableCompileCache()
const { parse } = await import('./changes/cli.ts')
const { diff } = await import('./changes/diff.ts')
const { runCommand } = await import('./command.ts')
const { ROOT } = await import('./repository.ts')
const { surroundingsOf } = await import('./surroundings.ts')

await runCommand<Options>(parse(process.argv.slice(2)), async (options) =>
  diff(options, {
    ...(await surroundingsOf(ROOT)),
    today: new Date().toISOString().slice(0, 10),
    // Plain where the output is no terminal, or NO_COLOR is set.
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
  }),
)
