/** Writes the vectors as plain JSON, for every language: `npm run vectors -w sdks/conformance`. */
import { writeFileSync } from 'node:fs'
import { vectors } from './vectors.ts'

const file = new URL('vectors.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(vectors, null, 1)}\n`)
