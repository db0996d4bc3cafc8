import { parseArgs } from 'node:util'
import { CLASSES, type Class } from './types.ts'

export interface Options {
  /** Null for the last release. */
  base: string | null
  /** Null for the work tree. */
  target: string | null
  format: 'terminal' | 'json' | 'markdown'
  failOn: Class
}

export const HELP = `Usage: npm run contract:diff [-- [BASE] OPTIONS]

Says what changes for users of the SDKs between two revisions of openapi.yaml and sdks/behavior.yaml.

BASE and --to take a file, git:REV, or a released version of contracts/. The default base is the last
release, or the last tag where there is none.

  --to X           the new revision (default: the work tree)
  --json           the report for programs
  --markdown       the report for a pull request
  --fail-on CLASS  breaking (default), additive or documentation
  --help           this text

A change in contracts/approvals.yaml does not count: it has a fingerprint, a reason and a day on which
it expires. A name in contracts/reserved.yaml must not be used again.

Exit code: 0 nothing at or above CLASS, 1 something, 2 wrong usage or input that cannot be read.
`

/** Reads the command line: options, the help text, or a usage error. */
export function parse(args: readonly string[]): Options | { exit: 0 | 2; text: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        json: { type: 'boolean', default: false },
        markdown: { type: 'boolean', default: false },
        'fail-on': { type: 'string', default: 'breaking' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { exit: 0, text: HELP }
    const [base, ...others] = positionals
    const failOn = CLASSES.find((one) => one === values['fail-on'])
    if (others.length > 0) return usage('there is more than one BASE')
    if (base === '' || values.to === '') return usage('a revision has an empty name')
    if (values.json && values.markdown) return usage('--json and --markdown exclude each other')
    if (!failOn) return usage(`--fail-on must be one of ${CLASSES.join(', ')}`)
    return {
      base: base ?? null,
      target: values.to ?? null,
      format: values.json ? 'json' : values.markdown ? 'markdown' : 'terminal',
      failOn,
    }
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(message: string): { exit: 2; text: string } {
  return { exit: 2, text: `${message}\n\n${HELP}` }
}
