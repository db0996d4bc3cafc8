import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../../../../scripts/toolchain/languages/go.ts'
import type { Prepare } from '../../runner/languages.ts'

/** The clock is not public, so the driver is built as a test of the package. */
export const prepare: Prepare = async (folder) => {
  const drivers = import.meta.dirname
  for (const file of globSync('*.go', { cwd: drivers })) {
    copyFileSync(join(drivers, file), join(folder, file))
  }
  const program = join(folder, 'driver')
  execute(programs.go, ['test', '-c', '-o', program, '.'], folder)
  return { program, args: [] }
}

function execute(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
