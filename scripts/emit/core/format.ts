import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { OutFile } from './file.ts'

// Large contracts have large files of types; Biome ignores those over 1 MiB.
const MAX_BYTES = 1 << 30

const EXTENSIONS = /\.(?:ts|json)$/

/**
 * Formats files as the repository formats its own, in one run of Biome over a copy of them.
 *
 * @param configuration Biome's, as in biome.json.
 * @throws Error for a file that is not valid, which is a fault of its emitter.
 */
export function format(files: readonly OutFile[], configuration: object): OutFile[] {
  const formatted = files.filter(({ path }) => EXTENSIONS.test(path))
  if (formatted.length === 0) return [...files]
  const folder = mkdtempSync(join(tmpdir(), 'format-'))
  try {
    const own = { ...configuration, vcs: { enabled: false }, files: { maxSize: MAX_BYTES } }
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(own))
    // Apart from the configuration, which a generated file may have the name of.
    const copies = join(folder, 'files')
    for (const { path, content } of formatted) {
      mkdirSync(dirname(join(copies, path)), { recursive: true })
      writeFileSync(join(copies, path), content)
    }
    const args = ['format', '--write', '--colors=off', 'files']
    const { error, status, stderr } = spawnSync(biome(), args, { cwd: folder, encoding: 'utf8' })
    if (error) throw error
    if (status !== 0) throw new Error(`Biome cannot format what was generated:\n${stderr}`)
    return files.map((file) =>
      formatted.includes(file)
        ? { ...file, content: readFileSync(join(copies, file.path), 'utf8') }
        : file,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Biome's program. Its own command in Node.js only finds it, which takes longer than to format. */
export function biome(): string {
  const require = createRequire(import.meta.url)
  const { resolve } = createRequire(require.resolve('@biomejs/biome/package.json'))
  const build = `@biomejs/cli-${process.platform}-${process.arch}`
  for (const candidate of [`${build}/biome`, `${build}-musl/biome`, `${build}/biome.exe`]) {
    try {
      return resolve(candidate)
    } catch {
      // The build for another C library or system.
    }
  }
  throw new Error(`There is no ${build}. Run \`npm install\` without \`--omit=optional\`.`)
}
