/**
 * Runs tests as toolchain/run.ts runs a program, and fails where they read a file that is no input of
 * their task in turbo.json: `node run.ts pytest`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readsBesideInputs, reportOf } from './check.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const PROGRAM = fileURLToPath(new URL('../toolchain/run.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'reads-'))
try {
  const { PYTHONPATH, RUBYOPT = '', NODE_OPTIONS = '' } = process.env
  const env = {
    ...process.env,
    RECORD_READS: folder,
    NODE_OPTIONS: `${NODE_OPTIONS} --import=${new URL('recorder.mjs', import.meta.url).href}`,
    PYTHONPATH: PYTHONPATH ? `${HERE}${delimiter}${PYTHONPATH}` : HERE,
    RUBYOPT: `${RUBYOPT} -r${join(HERE, 'recorder.rb')}`,
  }
  const args = [PROGRAM, ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  process.exitCode = status ?? 1
  const holes = readsBesideInputs(process.cwd(), folder)
  if (holes.length > 0) {
    process.stderr.write(`${reportOf(process.cwd(), holes)}\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
