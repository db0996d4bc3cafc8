/**
 * Carries the version that changesets wrote into package.json to the places that npm does not know.
 * Runs as the second half of `npm run version`.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const { version } = JSON.parse(read('sdks/typescript/package.json')) as { version: string }

const path = 'sdks/typescript/src/version.ts'
const line = /(VERSION = ')[^']*(')/
const text = read(path)
if (!line.test(text)) throw new Error(`${path} has no version to replace`)
writeFileSync(new URL(path, root), text.replace(line, `$1${version}$2`))
process.stdout.write(`${version}\n`)
