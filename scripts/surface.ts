/** Writes the public surface and the reference of each SDK. `--help` lists the options. */
import { parseArgs } from 'node:util'
import { ROOT } from './repository.ts'
import {
  complaintAbout,
  complaintOf,
  differing,
  type Files,
  overview,
  reportAll,
  write,
} from './surface/index.ts'

const HELP = `Usage: npm run surface [-- OPTIONS]

Writes what users of each SDK can name to sdks/<language>/api.*, and its reference to docs/api, as the language's
own tool reports it: API Extractor, griffe, RBS and go/types. Run \`npm run build\` first.

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
    if ('problem' in reported) complain(complaintOf(reported, ROOT))
    else update(reported.files, given.check)
  }
  update(overview(), given.check)
}

function update(files: Files, isCheck: boolean): void {
  const [first = ''] = files.keys()
  const old = differing(files, ROOT)
  if (old.length === 0) process.stdout.write(`${first} is up to date.\n`)
  else if (isCheck) complain(complaintAbout(files, ROOT))
  else {
    write(files, ROOT)
    for (const path of old) process.stdout.write(`${path} is written. Read its diff.\n`)
  }
}

function complain(text: string | null): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
