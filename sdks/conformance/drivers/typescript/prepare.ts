import { join } from 'node:path'
import { build } from 'esbuild'
import { type Prepare, ROOT } from '../../runner/languages.ts'

export const prepare: Prepare = async (folder) => {
  const outfile = join(folder, 'driver.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'driver.ts')],
    alias: { sdk: join(folder, 'src') },
    nodePaths: [join(ROOT, 'node_modules')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  })
  return { program: process.execPath, args: [outfile] }
}
