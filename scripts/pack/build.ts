import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../repository.ts'
import { PackError } from './packer.ts'

const TASK = join(ROOT, 'scripts/task.ts')
const FLAGS = ['--filter=./sdks/typescript', '--filter=./mock-server', '--output-logs=errors-only']

/** Builds the documentation site, which the mock server serves. */
export function buildDocs(): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'docs/site/run.ts'), 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0)
    throw new PackError('The documentation cannot be built. `npm run docs:build` says why.')
}

/** Builds what is packed from a build. */
export function buildPackages(): void {
  const { status } = spawnSync(process.execPath, [TASK, 'build', ...FLAGS], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new PackError('The build failed. `npm run build` says why.')
}
