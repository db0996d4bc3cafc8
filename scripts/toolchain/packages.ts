/**
 * What npm brings for the tests alone, by the lock file of `toolchains`: other runtimes, other
 * releases of Node and TypeScript, and the programs that check what we publish.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MissingProgram } from './find.ts'
import { run } from './provide.ts'

const TOOLCHAINS = fileURLToPath(new URL('../../toolchains', import.meta.url))
const LOCK = join(TOOLCHAINS, 'package-lock.json')
/** Names the lock file that was installed. `npm ci` removes it with all else before it installs. */
const INSTALLED = join(TOOLCHAINS, 'node_modules/.installed')

const require = createRequire(`${TOOLCHAINS}/package.json`)
const { platform, arch } = process

/** Where a file of a package is, by `package/file`. */
export function fileOf(path: string): string {
  return firstOf([path])
}

/** A package, loaded; only for packages that `require` can load. */
export function load<Module>(name: string): Module {
  fileOf(name)
  return require(name)
}

/** A program of Node. Its package's install script puts it there. */
export function nodeOf(release: 20 | 22): string {
  return fileOf(`node-${release}/bin/node`)
}

export function deno(): string {
  const libc = platform === 'linux' ? '-glibc' : ''
  return firstOf([`@deno/${platform}-${arch}${libc}/deno`])
}

export function bun(): string {
  const build = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`
  return firstOf([`${build}/bin/bun`, `${build}-musl/bin/bun`])
}

/** The first that is installed: of the builds for each C library, npm installs the one that fits. */
function firstOf(candidates: readonly string[]): string {
  const paths = candidates.map((candidate) => join(TOOLCHAINS, 'node_modules', candidate))
  const found = paths.find((path) => existsSync(path))
  if (found) return found
  throw new MissingProgram(
    `There is no ${candidates.join(' and no ')} in ${TOOLCHAINS}. Run \`node scripts/toolchain/install.ts\` ` +
      'at the root of the repository, with install scripts and optional packages allowed. Where the ' +
      'package has no build for a platform, the tests that need it have to run on another.',
  )
}

/** Installs the packages, unless the lock file is still the one that was installed. */
export function provide(): void {
  const digest = createHash('sha256').update(readFileSync(LOCK)).digest('hex')
  const wanted = `${digest} ${platform}-${arch}\n`
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return
  process.stderr.write('Installing what only the tests need from npm\n')
  run('npm', ['ci'], TOOLCHAINS)
  writeFileSync(INSTALLED, wanted)
}
