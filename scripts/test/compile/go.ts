import { execFile } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { formatGo } from '../../emit/go/format.ts'
import { ROOT } from '../../repository.ts'
import { programs } from '../../toolchain/languages/go.ts'
import { complaintsOf } from './complaints.ts'

/** The files that depend on the document. The others are the same in all cases, as in sdks/go. */
export const KEPT =
  /^(?:client|contract|events|models|services|signature|\w+test\/samples)\.gen\.go$/

/** The arguments before the packages. */
export const STATICCHECK = ['tool', `-modfile=${join(ROOT, 'sdks/go/tools/go.mod')}`, 'staticcheck']

/** Formats, compiles and lints packages. Resolves to the faults. */
export async function check(packages: readonly string[]): Promise<string[]> {
  const module = gather(packages)
  try {
    const complaints = await Promise.all([
      unformatted(module),
      complaintsOfGo(['vet', './...'], module),
      complaintsOfGo([...STATICCHECK, './...'], module),
    ])
    return complaints.flat()
  } finally {
    rmSync(module, { recursive: true })
  }
}

/** One module of all packages, so that each program runs once; they all have the same go.mod. */
export function gather(packages: readonly string[]): string {
  const module = mkdtempSync(join(tmpdir(), 'go-'))
  for (const folder of packages) {
    const name = basename(dirname(folder))
    const target = join(module, name)
    cpSync(folder, target, { recursive: true })
    moveImports(target, name)
    renameSync(join(target, 'go.mod'), join(module, 'go.mod'))
  }
  return module
}

/** Points the inner packages at the folder of their package in the common module. */
function moveImports(folder: string, name: string): void {
  const [, path] = /^module (.*)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8')) ?? []
  for (const inner of globSync('*/*.go', { cwd: folder })) {
    const file = join(folder, inner)
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"${path}"`, `"${path}/${name}"`))
  }
}

/** The output of a Go command that fails. */
export function complaintsOfGo(args: readonly string[], cwd: string): Promise<string[]> {
  // Without the path of the folder in them, results are cached from one run to the next.
  const env = { ...process.env, GOFLAGS: '-trimpath' }
  return complaintsOf(programs.go, args, { cwd, env })
}

/** Files that gofmt would change. Its exit code is always 0. */
export async function unformatted(cwd: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(programs.gofmt, ['-l', '.'], { cwd })
  return stdout.split('\n').filter((path) => path !== '')
}

/** What code becomes where gofmt formats it. */
export function layOut(blocks: readonly string[]): string[] {
  const files = blocks.map((content, index) => ({ path: `${index}.go`, content }))
  return formatGo(files).map(({ content }) => content.trimEnd())
}
