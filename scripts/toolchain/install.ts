/**
 * Installs the programs that `npm test` needs besides the main install, and lists those that it cannot
 * install. To run a test alone, run `node scripts/toolchain/install.ts` first.
 */
import * as chromium from './chromium.ts'
import * as compose from './compose.ts'
import { MissingProgram } from './find.ts'
import { toolchains } from './languages.ts'
import * as packages from './packages.ts'
import { missingFrom } from './provide.ts'
import * as services from './services.ts'
import * as vale from './vale.ts'

/** @throws MissingProgram with all that is missing and could not be installed. */
export function install(): void {
  const missing = [packages, ...toolchains.values(), chromium, services, vale, compose]
    .map(({ provide }) => missingFrom(provide))
    .filter((cure) => cure !== null)
  if (missing.length > 0) throw new MissingProgram([...new Set(missing)].join('\n'))
}

if (import.meta.main) {
  try {
    install()
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
