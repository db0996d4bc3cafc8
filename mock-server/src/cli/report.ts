import type { Command } from 'commander'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { MockError } from './mock.ts'

/** What a command that prints JSON writes on stderr when it fails. */
interface Failure {
  message: string
  /** The status and the code of a refusal of the mock server. */
  status?: number
  code?: string
}

/** A failure as a line of JSON. */
export function failureText(failure: Failure): string {
  return `${JSON.stringify({ error: failure })}\n`
}

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
    const { message, status, code } = error
    const failure = { message, ...(status !== null && { status }), ...(code && { code }) }
    const { json } = command.optsWithGlobals()
    process.stderr.write(json ? failureText(failure) : `${message}\n`)
    exit(EXIT.failure)
  }
}
