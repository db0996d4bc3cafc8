import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import type { Header, Secret } from '../diagnosis/types.ts'

/** An argument, a variable or a file that cannot be used. The message is for the user. */
export class InputError extends Error {}

const MAX_BODY_BYTES = 16 * 1024 * 1024
const MAX_HEADER_BYTES = 64 * 1024

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, before: string[] = []) => [...before, value]

/** Refuses a secret as an argument, with an error that does not repeat it. */
export function refuseSecrets(command: Command): Command {
  return command
    .addOption(new Option('--secret [value]').hideHelp())
    .on('option:secret', () =>
      command.error(
        'Other users of this machine can read a secret on the command line. Put it into an environment variable and pass its name: --secret-env NAME.',
      ),
    )
}

/** @throws {InputError} for a variable that is not set */
export function readSecret(name: string): Secret {
  const value = Object.hasOwn(process.env, name) ? process.env[name] : undefined
  // The name is not repeated: it may be the secret itself.
  if (value === undefined) {
    throw new InputError(
      'The variable that --secret-env names is not set. Pass the name of an environment variable, not the secret itself.',
    )
  }
  return { name, value }
}

/**
 * @param file A path, or `-` for stdin.
 * @throws {InputError} for a file that cannot be read or is too large
 */
export function readBody(file: string): Promise<Buffer> {
  return read(file === '-' ? process.stdin : createReadStream(file), '--body', MAX_BODY_BYTES)
}

/**
 * @param file A path, or `-` for stdin.
 * @throws {InputError} for a file that cannot be read or is too large
 */
export async function readText(file: string, option: string): Promise<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  return (await read(stream, option, MAX_BODY_BYTES)).toString()
}

/**
 * @param values Lines, or `@` and the path of a file with one line for each header, as in curl.
 * @throws {InputError} for a line without a colon and a file that cannot be read
 */
export async function readHeaders(values: readonly string[]): Promise<Header[]> {
  const lines = await Promise.all(
    values.map(async (value) => {
      if (!value.startsWith('@')) return [value]
      const file = await read(createReadStream(value.slice(1)), '--header', MAX_HEADER_BYTES)
      return file.toString().split(/\r?\n/).filter(Boolean)
    }),
  )
  return lines.flat().map(parseHeader)
}

function parseHeader(line: string): Header {
  const colon = line.indexOf(':')
  // The line is not repeated: it may hold a signature.
  if (colon < 1) {
    throw new InputError(
      "A --header has no name or no colon. Write it as in curl: --header 'name: value', or --header @FILE for a file of such lines.",
    )
  }
  return [line.slice(0, colon).trim(), line.slice(colon + 1)]
}

async function read(stream: Readable, option: string, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) break
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new InputError(`${option}: ${REASONS[code] ?? `the file cannot be read (${code}).`}`)
  }
  if (size > limit) throw new InputError(`${option}: the input is larger than ${limit / 1024} KiB.`)
  return Buffer.concat(chunks)
}

const REASONS: Record<string, string> = {
  ENOENT: 'the file does not exist.',
  EISDIR: 'this is a folder. Name a file, or - for stdin.',
  EACCES: 'you have no permission to read the file.',
}
