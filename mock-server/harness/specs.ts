/** Provides the scenarios of Prism's repository. They are downloaded, since they are not ours to keep. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMMIT = 'ddbe0206d2edea3cad64a90e3e9d45c9ba532483'
const ARCHIVE = `https://github.com/stoplightio/prism/archive/${COMMIT}.tar.gz`
/** Of the paths and contents of all scenarios, since the bytes of an archive are not stable. */
const DIGEST = '77a14bdda6a8b9253da8af203211940e370d9da312aaf70e43f16375ca8a42b6'
const CACHE = fileURLToPath(new URL('../node_modules/.cache/prism-harness', import.meta.url))

/** A scenario's file. */
export interface File {
  name: string
  text: string
}

/**
 * All scenarios, by name.
 *
 * @param source A folder or an archive that has them, instead of the download.
 * @throws where they are not those of the pinned commit
 */
export async function readSpecs(source?: string): Promise<File[]> {
  if (source !== undefined && statSync(source).isDirectory()) return checked(filesIn(source))
  const kept = join(CACHE, `${DIGEST}.tar.gz`)
  const archive = source ?? kept
  if (!existsSync(archive)) await download(kept)
  const folder = mkdtempSync(join(tmpdir(), 'prism-'))
  try {
    execFileSync('tar', ['-xf', archive, '-C', folder])
    return checked(filesIn(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function download(file: string): Promise<void> {
  process.stderr.write(`Downloading ${ARCHIVE}\n`)
  const response = await fetch(ARCHIVE)
  if (!response.ok) throw new Error(`${ARCHIVE} returned status ${response.status}.`)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(`${file}.part`, Buffer.from(await response.arrayBuffer()))
  renameSync(`${file}.part`, file)
}

/** The scenarios in a folder: that of an unpacked archive, a clone's, or the scenarios' own. */
function filesIn(folder: string): File[] {
  const [inside] = globSync(['test-harness/specs', '*/test-harness/specs'], { cwd: folder })
  const root = join(folder, inside ?? '')
  return globSync('**/*.txt', { cwd: root })
    .map((path) => ({
      name: path.replaceAll('\\', '/'),
      text: readFileSync(join(root, path), 'utf8'),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function checked(files: File[]): File[] {
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(`${name}\0${text}\0`)
  const digest = hash.digest('hex')
  if (digest === DIGEST) return files
  throw new Error(
    `These are not the scenarios of commit ${COMMIT}: ${files.length} files with the digest ${digest}.`,
  )
}
