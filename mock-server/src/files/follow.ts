/** Follows files by polling, which sees what editors replace and works in every file system. */
import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** How often the files are looked at, in milliseconds. They are still if two looks find the same. */
const INTERVAL = 100
/** How long files may take to be still, or to come back, in milliseconds. */
const PATIENCE = 1000

/** The state of a file that does not exist. */
const GONE = 'gone'

/** The state of each file when it was last read. */
export type States = Map<string, string>

/** Notes the state of a file that is about to be read. */
export type Note = (file: string) => void

export interface Following {
  /** The files as they were first read. */
  states: States
  /** Loads the files after an edit. Calls `note` with each of them, just before it is read. */
  load: (note: Note) => Promise<void>
  /** Is called once for each edit that cannot be loaded. */
  onFailure: (error: unknown) => void
  signal: AbortSignal
}

/** @returns a function that notes states into a map */
export function noteInto(states: States): Note {
  return (file) => {
    if (!states.has(file)) states.set(file, stateOf(file))
  }
}

/** Loads files again after each edit, until it is aborted. */
export async function follow({ states, load, onFailure, signal }: Following): Promise<void> {
  let known = states
  while (await waited(signal)) {
    if (isEqual(known, look(known))) continue
    const still = await settled(known, signal)
    const read: States = new Map()
    try {
      await load(noteInto(read))
      known = read
    } catch (error) {
      // The files that were not reached are followed, too: the next edit may be there.
      known = new Map([...still, ...read])
      // If they have changed since, they were read in the middle of an edit.
      if (isEqual(known, look(known)) && !signal.aborted) onFailure(error)
    }
  }
}

/** Waits until the files are still and none is gone, but not for long. */
async function settled(known: States, signal: AbortSignal): Promise<States> {
  const deadline = performance.now() + PATIENCE
  let last = look(known)
  while ((await waited(signal)) && performance.now() < deadline) {
    const now = look(known)
    const isWhole = [...now].every(([file, state]) => state !== GONE || known.get(file) === GONE)
    if (isWhole && isEqual(now, last)) return now
    last = now
  }
  return last
}

/** Waits for the next look. @returns false if it was aborted */
function waited(signal: AbortSignal): Promise<boolean> {
  return pause(INTERVAL, true, { signal, ref: false }).catch(() => false)
}

function look(states: States): States {
  return new Map([...states.keys()].map((file) => [file, stateOf(file)]))
}

function isEqual(some: States, others: States): boolean {
  return [...some].every(([file, state]) => others.get(file) === state)
}

/** Differs after each edit. */
function stateOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : GONE
}
