import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Unreadable } from '../changes/unreadable.ts'

/** How files have to change, by their paths from the root. */
export interface Plan {
  write: ReadonlyMap<string, string>
  remove: readonly string[]
}

/** The text of a file; null where there is none. @throws Unreadable */
export function textAt(root: string, path: string): string | null {
  const file = join(root, path)
  return named(path, () => (existsSync(file) ? readFileSync(file, 'utf8') : null))
}

/** The text of a file. @throws Unreadable where there is none. */
export function needed(root: string, path: string): string {
  const text = textAt(root, path)
  if (text === null) throw new Unreadable(`There is no ${path}. Restore it from git.`)
  return text
}

/** The paths of the files that a pattern matches, in order. */
export function filesIn(root: string, glob: string): string[] {
  return globSync(glob, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
}

/** Writes and removes all files. Where one cannot be written, those before it become what they were. @throws Unreadable */
export function apply(root: string, { write, remove }: Plan): void {
  const known = [...write.keys(), ...remove].map((path) => ({ path, text: textAt(root, path) }))
  try {
    for (const [path, text] of write) put(root, path, text)
    for (const path of remove) put(root, path, null)
  } catch (error) {
    for (const { path, text } of known) {
      if (textAt(root, path) !== text) put(root, path, text)
    }
    throw error
  }
}

function put(root: string, path: string, text: string | null): void {
  const file = join(root, path)
  named(path, () => {
    if (text === null) return rmSync(file, { force: true })
    mkdirSync(dirname(file), { recursive: true })
    return writeFileSync(file, text)
  })
}

/** Says which file an error is about. */
function named<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Unreadable(`${path} cannot be read or written (${code}). Make it a file of yours.`)
  }
}
