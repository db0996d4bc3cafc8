/** Says what a change of the contract does to users of the SDKs. `--help` lists the options. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { endWithReader } from './stdout.ts'

enableCompileCache()
const { parse } = await import('./changes/cli.ts')
const { diff } = await import('./changes/diff.ts')
const { NAME_RULES } = await import('./languages.ts')
const { loadPlatform } = await import('./lower/platform.ts')
const { loadPolicy } = await import('./lower/policy.ts')
const { ROOT } = await import('./repository.ts')
const { formatProblem } = await import('./yaml/index.ts')

endWithReader()
const options = parse(process.argv.slice(2))
if ('exit' in options) {
  const stream = options.exit === 0 ? process.stdout : process.stderr
  stream.write(options.text)
  process.exitCode = options.exit
} else {
  const [names, behavior] = await Promise.all([
    loadPlatform(join(ROOT, 'sdks/names.yaml'), NAME_RULES),
    loadPolicy(join(ROOT, 'sdks/behavior.yaml')),
  ])
  const { platform } = names
  const { policy } = behavior
  if (platform && policy) {
    const outcome = await diff(options, {
      root: ROOT,
      platform,
      policy,
      today: new Date().toISOString().slice(0, 10),
      // Plain where the output is no terminal, or NO_COLOR is set.
      paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    })
    process.stdout.write(outcome.stdout)
    process.stderr.write(outcome.stderr)
    process.exitCode = outcome.exit
  } else {
    const [first] = [...names.problems, ...behavior.problems]
    if (first) process.stderr.write(`${formatProblem(first)}\n`)
    process.exitCode = 2
  }
}
