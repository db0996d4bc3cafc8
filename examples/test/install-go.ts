import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { packer, SERVED } from '../../scripts/pack/languages/go.ts'
import { programs } from '../../scripts/toolchain/languages/go.ts'
import { registries } from '../../scripts/toolchain/registries.ts'
import { pack, repository } from './packages.ts'
import { output } from './processes.ts'

/** What is imported. */
export const MODULE = 'github.com/support-chat/support-chat/sdks/go'

/** Runs a command of Go that has to succeed, and returns what it printed. */
export function go(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  return output([programs.go, ...args], { cwd, env: { ...registries, ...env } })
}

/** A module proxy with nothing but the SDK. */
export interface ModuleProxy {
  version: string
  /** What makes a command of Go get the SDK from there. */
  env: Record<string, string>
  /** Runs such a command, which has to succeed, and returns what it printed. */
  go: typeof go
}

/** Packs the SDK as users get it, into a folder that serves as a module proxy. */
export async function serveModule(folder: string): Promise<ModuleProxy> {
  const sdk = path.join(repository, 'sdks/go')
  const [list = ''] = await pack(packer, folder)
  const version = (await readFile(list, 'utf8')).trim()
  // The release that the SDK needs, which is not fetched again for the empty module cache. In the
  // usual one, what an earlier run has left would be taken for the same version.
  const bin = path.join((await go(['env', 'GOROOT'], sdk)).trim(), 'bin')
  const fresh = {
    ...registries,
    PATH: [bin, process.env.PATH].join(path.delimiter),
    GOPROXY: `file://${path.join(folder, SERVED)}`,
    GOSUMDB: 'off',
    GOTOOLCHAIN: 'local',
    GOMODCACHE: path.join(folder, 'modules'),
    GOFLAGS: '-mod=mod -modcacherw',
  }
  return {
    version,
    env: fresh,
    go: (args, cwd, env) => output(['go', ...args], { cwd, env: { ...fresh, ...env } }),
  }
}
