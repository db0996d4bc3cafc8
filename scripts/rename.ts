/** Gives the repository the names that sdks/names.yaml has now. `--help` lists the options. */
import { parseArgs } from 'node:util'
import { rename } from './rename/rename.ts'
import { ROOT } from './repository.ts'

const HELP = `Usage: npm run rename [-- OPTIONS]

Edit sdks/names.yaml first. Then this command moves the folders and files that carry a name, rewrites every
spelling of the names in the files by hand, and generates the others. Changelogs stay as they are.

  --dry-run  list what would be moved and rewritten, and write nothing
  --help     this text

Exit code: 0 done, 1 problems (nothing is written), 2 wrong usage.
`

function options(): { dryRun: boolean; help: boolean } | string {
  try {
    const { values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return { dryRun: values['dry-run'], help: values.help }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const given = options()
if (typeof given === 'string') {
  process.stderr.write(`${given}\n\n${HELP}`)
  process.exitCode = 2
} else if (given.help) {
  process.stdout.write(HELP)
} else {
  const { exit, said, messages } = await rename(ROOT, given)
  for (const line of said) process.stdout.write(`${line}\n`)
  for (const message of messages) process.stderr.write(`${message}\n`)
  process.exitCode = exit
}
