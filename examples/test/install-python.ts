import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { packer } from '../../scripts/pack/languages/python.ts'
import { programs, pythons } from '../../scripts/toolchain/languages/python.ts'
import { registries } from '../../scripts/toolchain/registries.ts'
import { pack } from './packages.ts'
import { output } from './processes.ts'

/** Builds what would be published into a new folder; returns the paths of the archives. */
export async function buildPython(folder: string): Promise<{ wheel: string; sdist: string }> {
  await mkdir(folder)
  const [wheel = '', sdist = ''] = await pack(packer, folder)
  return { wheel, sdist }
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
