import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { programs } from '../../scripts/toolchain/languages/go.ts'
import { repository } from './packages.ts'
import { output } from './processes.ts'
import { registries } from './registries.ts'

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
  const source = await readFile(path.join(sdk, 'version.go'), 'utf8')
  const version = `v${/"(.*)"/.exec(source)?.[1]}`
  const served = path.join(folder, 'proxy')
  await go(['run', './proxy', version, served], path.join(sdk, 'tools'))
  // The release that the SDK needs, which is not fetched again for the empty module cache. In the
  // usual one, what an earlier run has left would be taken for the same version.
  const bin = path.join((await go(['env', 'GOROOT'], sdk)).trim(), 'bin')
  const fresh = {
    ...registries,
    PATH: [bin, process.env.PATH].join(path.delimiter),
    GOPROXY: `file://${served}`,
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
