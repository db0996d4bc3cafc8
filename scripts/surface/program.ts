import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** What a program prints. @throws Error with what it complains about. */
export async function textOf(program: string, args: readonly string[], cwd: string) {
  try {
    const { stdout } = await execute(program, args, { cwd, maxBuffer: 1 << 28 })
    return stdout
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new Error(stderr?.trim() || String(error))
  }
}
