import type { Command } from 'commander'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { MockError } from './mock.ts'

/** Runs the work of a command and reports errors that the user can fix: a message and an exit code. */
export async function reportingErrors(
  command: Command,
  exit: (code: number) => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof InputError) command.error(error.message)
    if (!(error instanceof MockError)) throw error
    process.stderr.write(`${error.message}\n`)
    exit(EXIT.failure)
  }
}
