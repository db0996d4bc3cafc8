/** Writes the public surface of each SDK to `sdks/<language>/api.*`. `--help` lists the options. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './repository.ts'
import { complaintOf, reportAll } from './surface/index.ts'

const HELP = `Usage: npm run surface [-- OPTIONS]

Writes what users of each SDK can name to sdks/<language>/api.*, as the language's own tool reports it:
API Extractor, griffe, RBS and go/types. Run \`npm run build\` first.

  --check  compare, and write nothing
  --help   this text

Exit code: 0 written or up to date, 1 a file is not up to date or a tool fails, 2 wrong usage.
`

function options(): { check: boolean; help: boolean } | string {
  try {
    const { values } = parseArgs({
      options: {
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return { check: values.check, help: values.help }
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
  for (const reported of await reportAll(ROOT)) {
    const { file } = reported
    const complaint = complaintOf(reported)
    if (complaint === null) {
      process.stdout.write(`${file} is up to date.\n`)
    } else if (given.check || 'problem' in reported) {
      process.stderr.write(`${complaint}\n`)
      process.exitCode = 1
    } else {
      writeFileSync(join(ROOT, file), reported.content)
      process.stdout.write(`${file} is written. Read its diff.\n`)
    }
  }
}
