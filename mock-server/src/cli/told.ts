import type { Command } from 'commander'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { MockError } from './mock.ts'

/** Runs the work of a command; what the user can mend becomes a message and an exit code. */
export async function told(
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
