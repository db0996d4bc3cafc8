import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { output } from './processes.ts'

export const repository = path.resolve(import.meta.dirname, '../..')

/** Makes an empty folder outside of the repository, where nothing but what is put there is found. */
export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(os.tmpdir(), 'support-chat-examples-')))
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Packs a workspace as it would be published; returns the path of the archive. */
export async function pack(workspace: string, folder: string): Promise<string> {
  const flags = ['--json', '--ignore-scripts', '--workspace', workspace]
  const report = await output(['npm', 'pack', ...flags, '--pack-destination', folder], {
    cwd: repository,
  })
  const [packed]: { filename: string }[] = JSON.parse(report)
  if (!packed) throw new Error(`npm packed nothing for ${workspace}.`)
  return path.join(folder, packed.filename)
}

/** Installs archives into an empty project; `--offline`, as they depend on nothing. */
export async function install(archives: readonly string[], project: string): Promise<void> {
  await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await output(['npm', 'install', ...flags, ...archives], { cwd: project })
}
