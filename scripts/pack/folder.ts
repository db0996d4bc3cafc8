/** A folder of packages: what it holds, and its digests. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { INSTALL, installText } from './install.ts'
import { PackError } from './packer.ts'
import type { Target } from './targets.ts'

const SUMS = 'SHA256SUMS'

/** The files of each target, from the folder. */
export type Packed = ReadonlyMap<Target, readonly string[]>

/**
 * Packs into a folder. What an earlier run wrote there goes, and nothing else.
 *
 * @param onPacked Is called after each target.
 * @throws PackError where a program fails, or the folder holds something else.
 */
export async function packAll(
  targets: readonly Target[],
  out: string,
  onPacked: (target: Target, files: readonly string[]) => void,
): Promise<void> {
  const former = await formerFiles(out)
  const work = await mkdtemp(join(tmpdir(), 'packs-'))
  try {
    const packed = new Map<Target, string[]>()
    for (const target of targets) {
      const files = await target.pack(work)
      packed.set(target, files)
      onPacked(target, files)
    }
    await writeFile(join(work, INSTALL), await installText(packed))
    const files = [...packed.values()].flat()
    await writeFile(join(work, SUMS), await sumsOf(work, [...files, INSTALL]))
    for (const file of former) await rm(join(out, file), { force: true })
    await mkdir(out, { recursive: true })
    await cp(work, out, { recursive: true })
  } finally {
    await rm(work, { recursive: true })
  }
}

/** As `sha256sum --check` reads them. */
async function sumsOf(folder: string, files: readonly string[]): Promise<string> {
  const lines = files.toSorted().map(async (file) => {
    const digest = createHash('sha256').update(await readFile(join(folder, file)))
    return `${digest.digest('hex')}  ${file}\n`
  })
  return (await Promise.all(lines)).join('')
}

async function formerFiles(out: string): Promise<string[]> {
  if (!existsSync(out) || (await readdir(out)).length === 0) return []
  const sums = join(out, SUMS)
  if (!existsSync(sums)) {
    throw new PackError(`${out} holds other files. Give --out a folder that is empty or new.`)
  }
  const listed = (await readFile(sums, 'utf8')).matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)
  const files = Array.from(listed, ([, file = '']) => file)
  return [...files.filter((file) => resolve(out, file).startsWith(resolve(out) + sep)), SUMS]
}
