import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Language } from '../emit/core/language.ts'
import { toolchains } from '../toolchain/languages.ts'
import { registries } from '../toolchain/registries.ts'
import { pythonWithPip } from './python.ts'

/** Where package managers keep what they have downloaded and compiled, by their variables. */
const CACHES = {
  npm_config_cache: 'npm',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  GOCACHE: 'go-build',
}

/** Where another program than that of our tests is needed. */
const FINDERS: Readonly<Record<string, () => string>> = { python: pythonWithPip }

/** The environment of somebody who has a language and Node.js on this machine, and has used neither. */
export async function environment(
  { name }: Language,
  folder: string,
  keepCaches: boolean,
): Promise<Record<string, string>> {
  const own = join(folder, 'home')
  await mkdir(own)
  const gems = join(folder, 'gems')
  const program = FINDERS[name]?.() ?? toolchains.get(name)?.programs[name]
  const programs = [process.execPath, ...(program ? [program] : [])].map((one) => dirname(one))
  const { PATH = '', HOME = own, TMPDIR = tmpdir() } = process.env
  const caches = Object.entries(CACHES).map(([variable, name]) => [variable, join(own, name)])
  return {
    ...registries,
    ...(keepCaches ? { HOME } : { HOME: own, ...Object.fromEntries(caches) }),
    TMPDIR,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    PATH: [join(gems, 'bin'), ...programs, PATH].join(delimiter),
    // Installs nothing into the machine; its gems stay in reach, as an empty entry says.
    GEM_HOME: gems,
    GEM_PATH: `${gems}${delimiter}`,
    // Never that of the machine, which may have what was packed before under the same version.
    GOMODCACHE: join(folder, 'modules'),
    GOFLAGS: '-modcacherw',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
  }
}
