/**
 * The parts of `npm run version` around changesets. Before: `version.ts --check` fails where a release would not
 * be whole. After: the version that changesets wrote to package.json is copied to the files of the other
 * registries, the contract, the policy and what is written about their changes become those of the version,
 * and the names that it removes are reserved.
 */
import { Unreadable } from '../changes/unreadable.ts'
import { ROOT } from '../repository.ts'
import { apply, textAt } from './files.ts'
import { packagesOf } from './packages.ts'
import { releaseOf } from './releases.ts'

const RESERVED = 'contracts/reserved.yaml'

/** Fails where a release would not be whole. */
async function check(): Promise<void> {
  releaseOf(ROOT, 'next')
  const { change } = await import('./change.ts')
  const { exit, stderr } = await change({ base: null, check: true }, await settings())
  process.stderr.write(stderr)
  process.exitCode = exit
}

async function release(): Promise<void> {
  const { version = '' } = packagesOf(ROOT)[0] ?? {}
  // All files are read before any is written, so that a fault leaves nothing half done.
  const { write, remove } = releaseOf(ROOT, version)
  const isNew = write.has(`contracts/${version}.yaml`)
  apply(ROOT, { write: new Map([...write, ...(isNew ? await reserved(version) : [])]), remove })
  process.stdout.write(`${version}\n`)
}

/** The list of reserved names, if the release removes some. */
async function reserved(version: string): Promise<Array<[string, string]>> {
  const { comparison } = await import('../changes/diff.ts')
  const { removedNames, withReserved } = await import('./reserved.ts')
  const names = removedNames(await comparison({ base: null, target: null }, await settings()))
  const text = textAt(ROOT, RESERVED)
  return names.length === 0 ? [] : [[RESERVED, withReserved(text, names, version)]]
}

async function settings() {
  const { surroundingsOf } = await import('../surroundings.ts')
  return { ...(await surroundingsOf(ROOT)), today: new Date().toISOString().slice(0, 10) }
}

try {
  await (process.argv.includes('--check') ? check() : release())
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
