import { type ExecFileOptions, execFile } from 'node:child_process'

/** The lines that a program prints where it finds something to complain of. */
export function complaintsOf(
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
      if (error && lines.length === 0) lines.push(`${program}: ${error.message}`)
      resolve(error ? lines : [])
    })
  })
}
