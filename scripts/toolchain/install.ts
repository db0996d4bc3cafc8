/**
 * Brings what `npm test` needs beside Node.js, where it can be installed; the rest it asks for.
 */
import * as chromium from './chromium.ts'
import { MissingProgram } from './find.ts'
import { toolchains } from './languages.ts'
import { missingFrom } from './provide.ts'
import * as vale from './vale.ts'

/** @throws MissingProgram with all that is missing and could not be installed. */
export function install(): void {
  const missing = [...toolchains.values(), chromium, vale]
    .map(({ provide }) => missingFrom(provide))
    .filter((cure) => cure !== null)
  if (missing.length > 0) throw new MissingProgram([...new Set(missing)].join('\n'))
}
