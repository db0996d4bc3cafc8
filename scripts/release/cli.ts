import { parseArgs } from 'node:util'

export interface Options {
  /** Null for the last release. */
  base: string | null
  check: boolean
}

export const HELP = `Usage: npm run contract:change [-- OPTIONS]

Writes what follows from a change of openapi.yaml or sdks/behavior.yaml: a changeset for each package that it
concerns, with the bump and a text for users; the section "Unreleased" of docs/upgrading.md; and rules in
upgrades/next that rewrite programs. Run it again after another edit. It rewrites its own files and no others.

  --base X  compare with X: a file, git:REV, or a released version (default: the last release)
  --check   write nothing, and fail if a file is missing or old
  --help    this text

A changeset by hand counts if it has at least the same bump, and names each change by its fingerprint or
by the changed part as code. npm run contract:diff shows both.

Exit code: 0 done, 1 --check found something, 2 wrong usage or input that cannot be read.
`

/** Reads the command line: options, the help text, or a usage error. */
export function parse(args: readonly string[]): Options | { exit: 0 | 2; text: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        base: { type: 'string' },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { exit: 0, text: HELP }
    if (values.base === '') return usage('--base is empty')
    return { base: values.base ?? null, check: values.check }
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(message: string): { exit: 2; text: string } {
  return { exit: 2, text: `${message}\n\n${HELP}` }
}
