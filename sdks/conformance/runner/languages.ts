import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { tool } from '../../../scripts/toolchain/environment.ts'
import { programs } from '../../../scripts/toolchain/programs.ts'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const DRIVERS = join(ROOT, 'sdks/conformance/drivers')

/** How to run a driver. */
export interface Command {
  program: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** Builds a driver on the package in a folder; resolves to how it is run. */
type Prepare = (folder: string) => Promise<Command>

export const LANGUAGES = ['typescript', 'python', 'python-async', 'ruby', 'go'] as const

/** Python has two clients, which must not differ either. */
export type LanguageName = (typeof LANGUAGES)[number]

/** Which package each of them drives. */
export const PACKAGES: Readonly<Record<LanguageName, string>> = {
  typescript: 'typescript',
  python: 'python',
  'python-async': 'python',
  ruby: 'ruby',
  go: 'go',
}

export const PREPARE: Readonly<Record<LanguageName, Prepare>> = {
  typescript: async (folder) => {
    const outfile = join(folder, 'driver.mjs')
    await build({
      entryPoints: [join(DRIVERS, 'typescript.ts')],
      alias: { sdk: join(folder, 'src') },
      nodePaths: [join(ROOT, 'node_modules')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'error',
    })
    return { program: process.execPath, args: [outfile] }
  },
  python: async (folder) => python(folder, 'sync'),
  'python-async': async (folder) => python(folder, 'async'),
  ruby: async (folder) => ({
    program: programs.ruby,
    args: ['-W1', '-I', join(folder, 'lib'), join(DRIVERS, 'ruby.rb')],
  }),
  // The clock is not public: the driver is built as a test of the package, which sees it.
  go: async (folder) => {
    const drivers = join(DRIVERS, 'go')
    for (const file of globSync('*.go', { cwd: drivers })) {
      copyFileSync(join(drivers, file), join(folder, file))
    }
    const program = join(folder, 'driver')
    execute(programs.go, ['test', '-c', '-o', program, '.'], folder)
    return { program, args: [] }
  },
}

function python(folder: string, mode: string): Command {
  return {
    program: tool('python'),
    args: ['-X', 'utf8', join(DRIVERS, 'python.py'), mode],
    env: { PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
  }
}

function execute(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
