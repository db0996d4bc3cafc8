/** Writes the vectors as JSON for every language: `npm run vectors -w sdks/conformance`. */
import { writeFileSync } from 'node:fs'
import { receivers, statuses } from './receivers.ts'
import { vectors } from './vectors.ts'

write('vectors.json', vectors)
write('receivers.json', { statuses, cases: receivers })

function write(name: string, value: unknown): void {
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(value, null, 1)}\n`)
}
