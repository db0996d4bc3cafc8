import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { programs, pythons, tool } from '../../scripts/toolchain/languages/python.ts'
import { repository } from './packages.ts'
import { output } from './processes.ts'
import { registries } from './registries.ts'

/** Builds what would be published into a new folder; returns the paths of the archives. */
export async function buildPython(folder: string): Promise<{ wheel: string; sdist: string }> {
  const project = path.join(repository, 'sdks/python')
  // With the build tools of the lock file.
  const flags = ['--no-build-isolation', '--python', tool('python'), '--out-dir', folder]
  await mkdir(folder)
  await uv(['build', ...flags, project], folder)
  const built = await readdir(folder)
  const find = (ending: string) => {
    const name = built.find((file) => file.endsWith(ending))
    if (name === undefined) throw new Error(`uv built no ${ending} in ${folder}.`)
    return path.join(folder, name)
  }
  return { wheel: find('.whl'), sdist: find('.tar.gz') }
}

/** Installs an archive into a fresh environment, with what it depends on; returns its interpreter. */
export async function installPython(
  archive: string,
  environment: string,
  python: string = pythons.newest,
): Promise<string> {
  const cwd = path.dirname(archive)
  await uv(['venv', '--python', python, environment], cwd)
  const interpreter = path.join(environment, 'bin/python')
  await uv(['pip', 'install', '--python', interpreter, archive], cwd)
  return interpreter
}

async function uv(args: readonly string[], cwd: string): Promise<void> {
  await output([programs.uv, '--quiet', ...args], { cwd, env: registries })
}
