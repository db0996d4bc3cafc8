/**
 * The oldest and the newest Python that the SDK supports, whatever the machine has. A Go module
 * carries CPython's builds for each platform, so `toolchains/pythons.json` pins them by their hashes.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { python } from '../emit/python/language.ts'
import { INSTALLED, MissingProgram } from './find.ts'
import { programs as go } from './languages/go.ts'

/** A release of the module, and the hash that Go's checksum database has for it. */
export interface Pin {
  version: string
  sum: string
}

const FILE = fileURLToPath(new URL('../../toolchains/pythons.json', import.meta.url))

export type Age = 'oldest' | 'newest'
export const AGES: readonly Age[] = ['oldest', 'newest']

const { module, ...PINS }: { module: string } & Record<Age, Pin> = JSON.parse(
  readFileSync(FILE, 'utf8'),
)
const WINDOWS = process.platform === 'win32'
const SYSTEM = WINDOWS ? 'windows' : process.platform
const PLATFORM = `${SYSTEM}-${process.arch === 'x64' ? 'amd64' : process.arch}`

/** Such as 3.14.6. */
export function releaseOf(age: Age): string {
  return /\d+\.\d+\.\d+(?=-\d{8})/.exec(PINS[age].version)?.[0] ?? ''
}

/** The path of an interpreter that is installed. */
export function interpreter(age: Age): string {
  const path = join(folderOf(age), ...(WINDOWS ? ['python.exe'] : ['bin', `python${minorOf(age)}`]))
  if (existsSync(path)) return path
  throw new MissingProgram(`There is no Python ${releaseOf(age)}. ${python.toolchain.cure}`)
}

/** Installs an interpreter with pip, unless it is there. */
export function provideInterpreter(age: Age): void {
  const folder = folderOf(age)
  if (existsSync(folder)) return
  process.stderr.write(`Installing Python ${releaseOf(age)}\n`)
  const source = download(PINS[age])
  const data = join(source, 'python/internal/data', PLATFORM)
  if (!existsSync(data)) {
    throw new MissingProgram(`${module} has no Python ${releaseOf(age)} for ${PLATFORM}.`)
  }
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  unpack(data, unfinished)
  const library = WINDOWS ? 'Lib' : `lib/python${minorOf(age)}`
  unpack(join(source, 'pip/internal/data'), join(unfinished, library, 'site-packages'))
  renameSync(unfinished, folder)
}

/** The folder of a release of the module. Go verifies the checksum database, and we our own pin. */
export function download({ version, sum }: Pin): string {
  const { status, stdout, stderr } = spawnSync(
    go.go,
    ['mod', 'download', '-json', `${module}@${version}`],
    { cwd: join(FILE, '..'), encoding: 'utf8', env: { ...process.env, GOWORK: 'off' } },
  )
  const { Dir, Sum, Error: reason } = stdout ? JSON.parse(stdout) : {}
  if (status !== 0) {
    throw new MissingProgram(`Go cannot download ${module} ${version}:\n${reason ?? stderr}`)
  }
  if (Sum === sum) return Dir
  throw new MissingProgram(
    `${module} ${version} has the hash ${Sum}, and not ${sum} as in ${FILE}.`,
  )
}

/** A file of the module: a folder has neither a link nor a size. */
interface Entry {
  name: string
  size: number
  perm: number
  symlink?: string
  compressed?: boolean
}

/** Go's bit for folders in `perm`. */
const FOLDER = 2 ** 31

function unpack(source: string, target: string): void {
  const { files }: { files: Entry[] } = JSON.parse(readFileSync(join(source, 'files.json'), 'utf8'))
  mkdirSync(target, { recursive: true })
  for (const { name, perm, symlink, compressed } of files) {
    const path = join(target, name)
    const mode = perm & 0o777
    if (perm >= FOLDER) mkdirSync(path, { recursive: true })
    else if (symlink) symlinkSync(symlink, path)
    else if (compressed) {
      writeFileSync(path, gunzipSync(readFileSync(join(source, `${name}.gz`))), { mode })
    } else writeFileSync(path, readFileSync(join(source, name)), { mode })
  }
}

function folderOf(age: Age): string {
  return join(INSTALLED, `python-${releaseOf(age)}`)
}

function minorOf(age: Age): string {
  return releaseOf(age).split('.', 2).join('.')
}
