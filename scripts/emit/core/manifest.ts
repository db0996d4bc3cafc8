import { createHash, randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { OutFile } from './file.ts'

/** Lists the files that the generator wrote to a folder, so that it touches no others. */
export const MANIFEST = '.generated.json'

/** Something that is in the way. */
export interface Obstacle {
  path: string
  message: string
  fix: string
}

/** The names of the packages that a folder holds, as in `names.yaml`. */
export type Names = Readonly<Record<string, unknown>>

/** The changes to make to a folder. */
export interface Plan {
  directory: string
  names: Names | null
  write: OutFile[]
  remove: string[]
  /** All files that will be there, by path. */
  files: ReadonlyMap<string, string>
  /** Nothing may be done while there is one. */
  obstacles: Obstacle[]
}

/**
 * Compares a folder with its intended content. Only reads.
 *
 * @param names What to record as the names that the files of the folder have.
 */
export function plan(
  directory: string,
  files: readonly OutFile[],
  names: Names | null = null,
): Plan {
  const obstacles: Obstacle[] = []
  const listed = readManifest(directory, obstacles)
  const wanted = new Map<string, string>()
  for (const { path, content } of files) {
    if (!isInside(path) || wanted.has(path)) throw new Error(`An emitter may not write ${path}`)
    wanted.set(path, content)
  }
  const write = files.filter(({ path, content }) => {
    const found = look(directory, path)
    if (found.kind === 'none') return true
    if (found.kind === 'file' && hash(found.content) === hash(content)) return false
    if (found.kind === 'file' && listed.has(path)) return true
    obstacles.push(inTheWay(found.kind === 'blocked' ? found.path : path))
    return false
  })
  const remove = [...listed].flatMap(([path, digest]) => {
    if (wanted.has(path)) return []
    const found = look(directory, path)
    if (found.kind === 'none') return []
    if (found.kind === 'file' && hash(found.content) === digest) return [path]
    obstacles.push(changed(path))
    return []
  })
  return { directory, names, write, remove, files: wanted, obstacles }
}

/** Whether a folder is as it should be. */
export function isUpToDate({ directory, names, write, remove, files }: Plan): boolean {
  const listed = readManifest(directory, [])
  if (JSON.stringify(recordedNames(directory)) !== JSON.stringify(names)) return false
  const isListed = [...files].every(([path, content]) => listed.get(path) === hash(content))
  return write.length === 0 && remove.length === 0 && isListed && listed.size === files.size
}

/** Carries out a plan. An interrupted run leaves each file whole or absent. */
export function carryOut({ directory, names, write, remove, files, obstacles }: Plan): void {
  if (obstacles.length > 0) throw new Error('A plan with obstacles is not carried out')
  const kept = new Map([...readManifest(directory, [])].filter(([path]) => !files.has(path)))
  const hashes = new Map([...files].map(([path, content]) => [path, hash(content)]))
  // The list comes first, so that a run after an interrupted one finds all files in it.
  writeManifest(directory, new Map([...kept, ...hashes]), names)
  for (const { path, content } of write) replace(directory, path, content)
  for (const path of remove) {
    rmSync(join(directory, path))
    removeEmpty(directory, dirname(path))
  }
  writeManifest(directory, hashes, names)
}

/** The names that the files of a folder had when they were last generated; null if none are recorded. */
export function recordedNames(directory: string): Names | null {
  const found = look(directory, MANIFEST)
  if (found.kind !== 'file' || !parse(found.content)) return null
  return (JSON.parse(found.content) as { names?: Names }).names ?? null
}

/** The files of a folder that an earlier run has written. */
export function generatedFiles(directory: string): string[] {
  return [...readManifest(directory, []).keys()]
}

type Found =
  | { kind: 'none' }
  | { kind: 'file'; content: string }
  /** Something on the way to it is no folder, or it is no file itself. */
  | { kind: 'blocked'; path: string }

/** What is at a path. Does not follow links, which may lead anywhere. */
function look(directory: string, path: string): Found {
  const segments = path.split('/')
  for (const [index] of segments.entries()) {
    const part = segments.slice(0, index + 1).join('/')
    const stat = lstatSync(join(directory, part), { throwIfNoEntry: false })
    const isLast = index === segments.length - 1
    if (!stat) return { kind: 'none' }
    if (isLast ? !stat.isFile() : !stat.isDirectory()) return { kind: 'blocked', path: part }
  }
  return { kind: 'file', content: readFileSync(join(directory, path), 'utf8') }
}

function readManifest(directory: string, obstacles: Obstacle[]): Map<string, string> {
  const found = look(directory, MANIFEST)
  if (found.kind === 'none') return new Map()
  const files = found.kind === 'file' ? parse(found.content) : null
  if (files) return files
  obstacles.push({
    path: MANIFEST,
    message: 'this is not the list of files that an earlier run has written',
    fix: 'Write to another folder, or remove it together with the files of that run',
  })
  return new Map()
}

function parse(text: string): Map<string, string> | null {
  try {
    const { files } = JSON.parse(text) as { files: Record<string, unknown> }
    const entries = Object.entries(files)
    const isRight = entries.every(([path, digest]) => isInside(path) && typeof digest === 'string')
    return isRight ? new Map(entries as Array<[string, string]>) : null
  } catch {
    return null
  }
}

function writeManifest(
  directory: string,
  hashes: ReadonlyMap<string, string>,
  names: Names | null,
): void {
  const files = Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)))
  const content = `${JSON.stringify({ ...(names && { names }), files }, null, 2)}\n`
  const found = look(directory, MANIFEST)
  if (found.kind !== 'file' || found.content !== content) replace(directory, MANIFEST, content)
}

function replace(directory: string, path: string, content: string): void {
  const target = join(directory, path)
  mkdirSync(dirname(target), { recursive: true })
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`)
  try {
    writeFileSync(temporary, content, { flag: 'wx' })
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function removeEmpty(directory: string, path: string): void {
  if (path === '.' || readdirSync(join(directory, path)).length > 0) return
  rmdirSync(join(directory, path))
  removeEmpty(directory, dirname(path))
}

/** Whether a path leads to a file inside a folder, on any system. */
function isInside(path: string): boolean {
  return (
    path !== MANIFEST &&
    !/[\\:\0]/.test(path) &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  )
}

function inTheWay(path: string): Obstacle {
  return {
    path,
    message: 'a file that was not generated is in the way',
    fix: 'Move it away, or write to another folder',
  }
}

function changed(path: string): Obstacle {
  return {
    path,
    message: 'this file is no longer generated, but was changed since it was',
    fix: 'Move it away if you need it, else remove it',
  }
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
