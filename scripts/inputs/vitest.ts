/** A global setup of Vitest: a run fails where it read a file that is no input of its task in turbo.json. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readsBesideInputs, reportOf } from './check.ts'

const RECORDER = new URL('recorder.mjs', import.meta.url).href

export default async function setup({ config }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'reads-'))
  process.env.RECORD_READS = folder
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${RECORDER}`.trim()
  await import(RECORDER)
  return () => {
    try {
      const holes = readsBesideInputs(config.root, folder)
      if (holes.length > 0) throw new Error(reportOf(config.root, holes))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
