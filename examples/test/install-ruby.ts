import path from 'node:path'
import { packer } from '../../scripts/pack/languages/ruby.ts'
import { programs } from '../../scripts/toolchain/languages/ruby.ts'
import { pack } from './packages.ts'
import { output } from './processes.ts'

/** Builds the gem that would be published; returns its path. */
export async function buildGem(folder: string): Promise<string> {
  const [gem = ''] = await pack(packer, folder)
  return gem
}

/** Installs a gem where there is no other; returns the environment in which Ruby finds it alone. */
export async function installGem(gem: string, home: string): Promise<Record<string, string>> {
  const env = { GEM_HOME: home, GEM_PATH: home }
  const flags = ['--local', '--no-document']
  await output([programs.gem, 'install', ...flags, gem], { cwd: path.dirname(gem), env })
  return env
}
