import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { registries } from '../toolchain/registries.ts'

/** The exports of `scripts/pack/languages/<language>.ts` and of `scripts/pack/mock-server.ts`. */
export interface Packer {
  /** Whether `npm run build` makes what is packed. */
  isBuilt?: boolean
  /** Looks for the programs that pack. @throws MissingProgram where one is missing. */
  find(): void
  /** Packs what users install into a folder that exists; returns the paths of the files, from there. */
  pack(folder: string): Promise<string[]>
}

/** A program that packs has failed; the message has what it printed. */
export class PackError extends Error {
  override name = 'PackError'
}

/** Archives hold this time in place of that of their files, so that two of the same files are equal. */
const EPOCH = '1580601600'

/** Runs a program that has to succeed, and returns what it printed. */
export async function output(command: readonly string[], cwd: string): Promise<string> {
  const [program = '', ...args] = command
  const { PATH = '', HOME = '', TMPDIR = tmpdir(), SOURCE_DATE_EPOCH = EPOCH } = process.env
  const own = { PATH, HOME, TMPDIR, SOURCE_DATE_EPOCH, NO_COLOR: '1' }
  const child = spawn(program, args, {
    cwd,
    env: { ...registries, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [[status], stdout, stderr] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
  ])
  if (status === 0) return stdout
  throw new PackError(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`.trim())
}
