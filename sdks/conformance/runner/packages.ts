import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../scripts/pipeline.ts'
import { FOLDER } from './case.ts'
import { ROOT } from './languages.ts'

/** Generates the packages of the suite, from our contract and the probes, into a temporary folder. */
export async function generatePackages(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const { exit, messages } = await run({
    contract: join(ROOT, 'openapi.yaml'),
    overlays: [join(FOLDER, 'overlay.yaml')],
    names: null,
    out: folder,
    check: false,
    skipUnsupported: false,
  })
  if (exit !== 0) throw new Error(messages.join('\n'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
