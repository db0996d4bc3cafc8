import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Run } from './language.ts'

/** Runs a runner: it gets JSON and prints, as its last line, JSON of how each program ended. */
export async function play(
  program: string,
  args: readonly string[],
  input: unknown,
  env: NodeJS.ProcessEnv = {},
): Promise<Map<string, Run>> {
  const child = spawn(program, args, { env: { ...process.env, ...env } })
  child.stdin.end(JSON.stringify(input))
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ])
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${stderr}${stdout}`)
  return new Map(Object.entries(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}')))
}
