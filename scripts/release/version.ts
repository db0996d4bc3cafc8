/**
 * Copies the version that changesets wrote to package.json into the files of the other registries.
 * Runs as the second part of `npm run version`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION_FILES, withVersion } from './version-files.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const { version } = JSON.parse(read('sdks/typescript/package.json')) as { version: string }

// All are read before any is written, so that a fault leaves nothing half done.
const changed = VERSION_FILES.map((where) => ({
  path: join(root, where.file),
  text: withVersion(read(where.file), where, version),
}))
for (const { path, text } of changed) writeFileSync(path, text)
process.stdout.write(`${version}\n`)
