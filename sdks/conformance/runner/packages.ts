import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from '../../../scripts/pipeline.ts'
import { FOLDER } from './case.ts'
import { ROOT } from './languages.ts'

const { CONFORMANCE_CONTRACT = 'openapi.yaml' } = process.env

/**
 * Generates the packages of the suite, from a contract and the probes, into a temporary folder.
 *
 * @param contract A path from the repository's root.
 */
export async function generatePackages(
  contract = CONFORMANCE_CONTRACT,
): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const { exit, messages } = await run({
    contract: resolve(ROOT, contract),
    overlays: [join(FOLDER, 'overlay.yaml')],
    names: null,
    out: folder,
    check: false,
    skipUnsupported: false,
  })
  if (exit !== 0) throw new Error(messages.join('\n'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
