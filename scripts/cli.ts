import { parseArgs } from 'node:util'

export interface Options {
  contract: string | null
  out: string | null
  names: string | null
  overlays: string[]
  check: boolean
  skipUnsupported: boolean
  /** Whether to generate again whenever an input changes. */
  watch?: boolean
}

export const HELP = `Usage: npm run generate [-- OPTIONS]

Writes everything that is generated from openapi.yaml, sdks/names.yaml and sdks/behavior.yaml.

  --check                compare only; exit 1 if something is not up to date
  --watch                generate again whenever an input changes, until interrupted
  --contract FILE        another OpenAPI 3.0 or 3.1 document; needs --out
  --out DIR              where to write its packages
  --names FILE           what they are called (default: sdks/names.yaml)
  --overlay FILE         an OpenAPI Overlay to apply first; may be given several times
  --skip-unsupported     leave out operations that the SDKs cannot express, and list them
  --help                 this text

Exit code: 0 done, 1 problems or not up to date (nothing is written), 2 wrong usage.
`

/** Reads the command line: options, the help text, or a usage error. */
export function parse(args: readonly string[]): Options | { exit: 0 | 2; text: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
        contract: { type: 'string' },
        out: { type: 'string' },
        names: { type: 'string' },
        overlay: { type: 'string', multiple: true },
        'skip-unsupported': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return { exit: 0, text: HELP }
    if ((values.contract === undefined) !== (values.out === undefined)) {
      return usage('--contract and --out go together')
    }
    const empty = [values.contract, values.out, values.names, ...(values.overlay ?? [])].includes(
      '',
    )
    if (empty) return usage('an option has an empty value')
    if (values.watch && values.check) return usage('--watch and --check do not go together')
    return {
      contract: values.contract ?? null,
      out: values.out ?? null,
      names: values.names ?? null,
      overlays: values.overlay ?? [],
      check: values.check,
      skipUnsupported: values['skip-unsupported'],
      watch: values.watch,
    }
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
}

function usage(message: string): { exit: 2; text: string } {
  return { exit: 2, text: `${message}\n\n${HELP}` }
}
