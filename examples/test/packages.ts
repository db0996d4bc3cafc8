import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Packer } from '../../scripts/pack/packer.ts'
import { output } from './processes.ts'

export const repository = path.resolve(import.meta.dirname, '../..')

/** Makes an empty folder outside of the repository, where nothing but what is put there is found. */
export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(os.tmpdir(), 'support-chat-examples-')))
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Packs a package as it would be published; returns the paths of the archives. */
export async function pack({ pack }: Packer, folder: string): Promise<string[]> {
  return (await pack(folder)).map((file) => path.join(folder, file))
}

/** Installs archives into an empty project; `--offline`, as they depend on nothing. */
export async function install(archives: readonly string[], project: string): Promise<void> {
  await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await output(['npm', 'install', ...flags, ...archives], { cwd: project })
}
