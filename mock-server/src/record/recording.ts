/** A file of exchanges that is a valid HAR after each of them. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { type Delivered, type Entry, type Exchange, entryOf } from './har.ts'

export type { Delivered, Exchange }

/** A file that cannot be recorded to. The message says what to do. */
export class RecordError extends Error {}

const TAIL = '\n]}}\n'
const START = '{"log":{"version":"1.2","creator":'
const CHUNK = 64 * 1024

export class Recording {
  readonly #file: string
  readonly #descriptor: number
  readonly #onFailure: (message: string) => void
  /** The names of headers and query parameters that hold secrets, in lower case. */
  readonly #secrets = new Set<string>()
  /** Where the next entry begins. */
  #end: number
  #isFirst: boolean
  #isOpen = true

  /**
   * Continues a recording, or begins one.
   *
   * @param version Of this package.
   * @param onFailure Called once if the file cannot be written any more.
   * @throws {RecordError} for a file that is something else, or cannot be opened
   */
  constructor(file: string, version: string, onFailure: (message: string) => void) {
    this.#file = file
    this.#onFailure = onFailure
    this.#descriptor = open(file)
    const creator = JSON.stringify({ name: 'support-chat-mock', version })
    const head = `${START}${creator},"entries":[`
    try {
      const { size } = fstatSync(this.#descriptor)
      this.#end = size === 0 ? Buffer.byteLength(head) : this.#resume(size)
      if (size === 0) this.#put(head, 0)
      this.#isFirst = this.#text(this.#end - 1, 1) === '['
      ftruncateSync(this.#descriptor, this.#end)
      this.#put(TAIL, this.#end)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error instanceof RecordError ? error : new RecordError(unusable(file, error))
    }
  }

  /** Adds names of headers and query parameters whose values are secrets. */
  hide(names: Iterable<string>): void {
    for (const name of names) this.#secrets.add(name.toLowerCase())
  }

  /** Writes an exchange at once, so that nothing is lost when the process is killed. */
  add(exchange: Exchange): void {
    if (!this.#isOpen) return
    try {
      this.#write(entryOf(exchange, this.#secrets))
    } catch (error) {
      this.close()
      this.#onFailure(unusable(this.#file, error))
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }

  /** Replaces the end of the document by an entry and a new end, in one write. */
  #write(entry: Entry): void {
    const { size } = fstatSync(this.#descriptor)
    if (size !== this.#end + TAIL.length) throw new Error('another program has changed it')
    const line = `${this.#isFirst ? '\n' : ',\n'}${JSON.stringify(entry)}`
    this.#put(line + TAIL, this.#end)
    this.#end += Buffer.byteLength(line)
    this.#isFirst = false
  }

  #put(text: string, position: number): void {
    const bytes = Buffer.from(text)
    const written = writeSync(this.#descriptor, bytes, 0, bytes.length, position)
    if (written < bytes.length) throw Object.assign(new Error(), { code: 'ENOSPC' })
  }

  /** Where the last complete entry of a recording ends. */
  #resume(size: number): number {
    if (this.#text(0, START.length) !== START) {
      throw new RecordError(
        `--record: ${this.#file} exists and is no recording of this command. Name another file.`,
      )
    }
    const tail = size - TAIL.length
    if (this.#text(tail, TAIL.length) === TAIL) return tail
    // The process was killed within a write. The lines before the last are complete.
    return this.#lastLine(size)
  }

  #lastLine(size: number): number {
    for (let from = Math.max(0, size - CHUNK), to = size; to > 0; ) {
      const at = this.#bytes(from, to - from).lastIndexOf(10)
      if (at >= 0) return from + at - (this.#text(from + at - 1, 1) === ',' ? 1 : 0)
      to = from
      from = Math.max(0, from - CHUNK)
    }
    throw new RecordError(`--record: ${this.#file} is damaged. Name another file.`)
  }

  #text(position: number, length: number): string {
    return this.#bytes(position, length).toString('latin1')
  }

  #bytes(position: number, length: number): Buffer {
    const buffer = Buffer.alloc(length)
    return buffer.subarray(0, readSync(this.#descriptor, buffer, 0, length, Math.max(0, position)))
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new RecordError(unusable(file, error))
    }
  }
  try {
    // Bodies may hold personal data.
    return openSync(file, 'wx+', 0o600)
  } catch (error) {
    throw new RecordError(unusable(file, error))
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'its folder does not exist. Create the folder, or name another file.',
  EISDIR: 'it is a folder. Name a file in it.',
  EACCES: 'you have no permission to write it. Name another file.',
  ENOSPC: 'the disk is full. Free some space and start again.',
}

function unusable(file: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return `--record: ${file} cannot be written: ${REASONS[code] ?? `${code || message}.`}`
}
