/**
 * Compares the files that a package's tests have read with those that turbo hashes for them. A file
 * that is read but not hashed is a hole: after an edit, the cache returns the old result.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A task as `turbo run --dry=json` describes it; paths are relative to the folder of its package. */
interface Task {
  taskId: string
  directory: string
  /** `<NONEXISTENT>` where the package has no such script. */
  command: string
  inputs: Record<string, string>
  outputs: string[] | null
  resolvedTaskDefinition: { cache: boolean }
}

interface DryRun {
  globalCacheInputs: { files: Record<string, string> }
  tasks: Task[]
}

/**
 * The files of the repository that were read and that turbo hashes neither for the package's `test`
 * nor for a task that it depends on. There are none where its results are not cached.
 *
 * @param folder The package's folder.
 * @param records The folder of the recorder's lists.
 */
export function readsBesideInputs(folder: string, records: string): string[] {
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const reads = [...readsIn(records), ...readsOfGo(folder)]
  const { tasks: all, globalCacheInputs } = dryRun(name)
  const own = all.find(({ taskId }) => taskId === `${name}#test`)
  if (own?.resolvedTaskDefinition.cache === false) return []
  const tasks = all.filter(({ command }) => command !== '<NONEXISTENT>')
  const hashed = new Set([
    ...Object.keys(globalCacheInputs.files),
    ...tasks.flatMap(({ directory, inputs }) =>
      Object.keys(inputs).map((path) => join(directory, path)),
    ),
  ])
  const made = tasks.flatMap(({ directory, outputs }) =>
    (outputs ?? []).map((glob) => join(directory, glob)),
  )
  const ours = repositoryFiles()
  return reads.filter(
    (path) =>
      !hashed.has(path) &&
      !made.some((glob) => matchesGlob(undotted(path), undotted(glob))) &&
      (ours.has(path) || path.split('/').includes('dist')),
  )
}

export function reportOf(folder: string, holes: readonly string[]): string {
  const name = relative(ROOT, folder)
  return [
    `The tests of ${name} read files that turbo.json does not list as inputs of its task \`test\`.`,
    'An edit of one of them would be served an old result from the cache. List them:',
    ...holes.map((path) => `  ${path}`),
  ].join('\n')
}

/** Node's globs skip names that start with a dot. Turbo's do not. */
function undotted(path: string): string {
  return path.replaceAll(/(?<=^|\/)\.(?=\w)/g, '')
}

/** Paths in the repository, with links resolved and installed packages left out. */
function readsIn(records: string): string[] {
  const lines = readdirSync(records).flatMap((name) =>
    readFileSync(join(records, name), 'utf8').split('\n'),
  )
  const paths = [...new Set(lines)].filter((line) => line !== '').flatMap(filesOf)
  return [...new Set(paths.map((path) => relative(ROOT, path).replaceAll('\\', '/')))]
    .filter((path) => !path.startsWith('..') && !path.split('/').includes('node_modules'))
    .sort()
}

/** The files that Go's tests name outside their folder. Go does not report which files they open. */
function readsOfGo(folder: string): string[] {
  return globSync('**/*_test.go', { cwd: folder }).flatMap((test) => {
    const named = readFileSync(join(folder, test), 'utf8').matchAll(/"(\.\.\/[^"]*)"/g)
    return [...named].map(([, path = '']) => relative(ROOT, join(folder, dirname(test), path)))
  })
}

/** The file itself, or all files of a folder; nothing for a path that a test has removed since. */
function filesOf(path: string): string[] {
  try {
    const real = realpathSync(path)
    const entries = readdirSync(real, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A program may also look for a file inside of a file.
    return code === 'ENOTDIR' && existsSync(path) ? [realpathSync(path)] : []
  }
}

function dryRun(name: string): DryRun {
  const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo')
  const args = [turbo, 'run', 'test', `--filter=${name}`, '--dry=json']
  const { status, stdout, stderr } = run(process.execPath, args)
  if (status !== 0) throw new Error(`turbo cannot list the inputs of ${name}:\n${stderr}`)
  return JSON.parse(stdout)
}

/** What git keeps or would keep: tests write other files beside these, and read them again. */
function repositoryFiles(): Set<string> {
  const { status, stdout, stderr } = run('git', [
    ...['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  ])
  if (status !== 0) throw new Error(`git cannot list the files of the repository:\n${stderr}`)
  return new Set(stdout.split('\0'))
}

function run(program: string, args: string[]) {
  const { NODE_OPTIONS: _, ...env } = process.env
  return spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', env, maxBuffer: 1 << 28 })
}
