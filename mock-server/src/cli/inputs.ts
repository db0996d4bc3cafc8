import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import type { Header, Secret } from '../diagnosis/types.ts'

/** Something that was named cannot be used; the message says so to whoever typed it. */
export class InputError extends Error {}

const MAX_BODY_BYTES = 16 * 1024 * 1024
const MAX_HEADER_BYTES = 64 * 1024

/** For an option that may be given several times. */
export const collect = (value: string, before: string[] = []) => [...before, value]

/** A secret is never an argument; who tries is told, without an error that repeats it. */
export function refuseSecrets(command: Command): Command {
  return command
    .addOption(new Option('--secret [value]').hideHelp())
    .on('option:secret', () =>
      command.error(
        'A secret on a command line can be read by others. Put it into an environment variable and name that: --secret-env NAME.',
      ),
    )
}

/** @throws {InputError} for a variable that is not set */
export function readSecret(name: string): Secret {
  const value = Object.hasOwn(process.env, name) ? process.env[name] : undefined
  // The name is not repeated: it may be the secret itself.
  if (value === undefined) {
    throw new InputError(
      'The variable that --secret-env names is not set. Give the name of an environment variable that holds the secret, not the secret.',
    )
  }
  return { name, value }
}

/**
 * @param file A path, or `-` for the standard input.
 * @throws {InputError} for what cannot be read or is too large
 */
export function readBody(file: string): Promise<Buffer> {
  return read(file === '-' ? process.stdin : createReadStream(file), '--body', MAX_BODY_BYTES)
}

/**
 * @param file A path, or `-` for the standard input.
 * @throws {InputError} for what cannot be read or is too large
 */
export async function readText(file: string, option: string): Promise<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  return (await read(stream, option, MAX_BODY_BYTES)).toString()
}

/**
 * @param values Lines, or `@` and the path of a file with a line each, as curl takes them.
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
      "A --header has no name and colon. Write it as curl does: --header 'name: value', or --header @FILE for a file of such lines.",
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
    throw new InputError(`${option}: ${REASONS[code] ?? `it cannot be read (${code}).`}`)
  }
  if (size > limit) throw new InputError(`${option}: it is larger than ${limit / 1024} KiB.`)
  return Buffer.concat(chunks)
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file.',
  EISDIR: 'it is a folder; name a file, or - for the standard input.',
  EACCES: 'it may not be read by you.',
}
