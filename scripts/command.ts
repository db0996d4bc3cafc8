import { Unreadable } from './changes/unreadable.ts'
import { endWithReader } from './stdout.ts'

/** What a command prints, and its exit code. */
interface Outcome {
  exit: number
  stdout: string
  stderr: string
}

/** What a command line asks for in place of a run: the help text, or a usage error. */
interface Instead {
  exit: number
  text: string
}

/** Runs a command that compares contracts, and ends the process with its exit code: 2 for bad input. */
export async function runCommand<Options extends object>(
  options: Options | Instead,
  act: (options: Options) => Promise<Outcome>,
): Promise<void> {
  endWithReader()
  const { exit, stdout, stderr } = await outcomeOf(options, act)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = exit
}

async function outcomeOf<Options extends object>(
  options: Options | Instead,
  act: (options: Options) => Promise<Outcome>,
): Promise<Outcome> {
  if ('exit' in options) {
    const { exit, text } = options
    return exit === 0 ? { exit, stdout: text, stderr: '' } : { exit, stdout: '', stderr: text }
  }
  try {
    return await act(options)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { exit: 2, stdout: '', stderr: `${error.message}\n` }
  }
}
