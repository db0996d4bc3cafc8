/**
 * The parts of `npm run version` around changesets. Before: `version.ts --check` fails where a release would not
 * be whole. After: the version that changesets wrote to package.json is copied to the files of the other
 * registries, and the contract, the policy and what is written about their changes become those of the version.
 */
import { Unreadable } from '../changes/unreadable.ts'
import { ROOT } from '../repository.ts'
import { apply } from './files.ts'
import { packagesOf } from './packages.ts'
import { releaseOf } from './releases.ts'

async function check(): Promise<void> {
  releaseOf(ROOT, 'next')
  const [{ change }, { surroundingsOf }] = await Promise.all([
    import('./change.ts'),
    import('../surroundings.ts'),
  ])
  const today = new Date().toISOString().slice(0, 10)
  const settings = { ...(await surroundingsOf(ROOT)), today }
  const { exit, stderr } = await change({ base: null, check: true }, settings)
  process.stderr.write(stderr)
  process.exitCode = exit
}

try {
  if (process.argv.includes('--check')) {
    await check()
  } else {
    const { version = '' } = packagesOf(ROOT)[0] ?? {}
    // All files are read before any is written, so that a fault leaves nothing half done.
    apply(ROOT, releaseOf(ROOT, version))
    process.stdout.write(`${version}\n`)
  }
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
