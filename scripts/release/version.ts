/**
 * Carries the version that changesets wrote into package.json to the places that npm does not know.
 * Runs as the second part of `npm run version`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLACES, withVersion } from './places.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const { version } = JSON.parse(read('sdks/typescript/package.json')) as { version: string }

// All are read before any is written, so that a fault leaves nothing half done.
const changed = PLACES.map((place) => ({
  path: join(root, place.file),
  text: withVersion(read(place.file), place, version),
}))
for (const { path, text } of changed) writeFileSync(path, text)
process.stdout.write(`${version}\n`)
