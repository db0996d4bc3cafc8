import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../scripts/pipeline.ts'
import { FOLDER } from './case.ts'
import { ROOT } from './languages.ts'

/** The packages that the suite runs on: our contract with the probes, in a folder of their own. */
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
