/** What runs the packages. npm brings all of it, pinned by the lock file. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const { platform, arch } = process

/** How each runtime runs a file: the program and the arguments before the file's name. */
export const runtimes = {
  'Node 20': () => [nodeOf('@support-chat/node-20')],
  'Node 22': () => [nodeOf('@support-chat/node-22')],
  'Node 24': () => [process.execPath],
  Deno: () => [
    deno(),
    ...['run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env', '--allow-read=.'],
  ],
  Bun: () => [bun(), 'run', '--no-install'],
}

export type Runtime = keyof typeof runtimes

/** How each compiler is called. */
export const compilers = {
  'TypeScript 5.4': () => [process.execPath, compilerOf('@support-chat/typescript-5.4')],
  'TypeScript 5.9': () => [process.execPath, require.resolve('typescript/bin/tsc')],
}

function deno(): string {
  const libc = platform === 'linux' ? '-glibc' : ''
  return binaryOf('deno', [`@deno/${platform}-${arch}${libc}/deno`])
}

function bun(): string {
  const build = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`
  return binaryOf('bun', [`${build}/bin/bun`, `${build}-musl/bin/bun`])
}

function nodeOf(toolchain: string): string {
  const folder = path.dirname(require.resolve(`${toolchain}/package.json`))
  const binary = path.join(folder, 'node_modules/node/bin/node')
  if (existsSync(binary)) return binary
  throw new Error(
    `There is no ${binary}. Run \`npm install\` at the root of the repository with install ` +
      'scripts allowed: the one of the package "node" puts it there.',
  )
}

function compilerOf(toolchain: string): string {
  const { resolve } = createRequire(require.resolve(`${toolchain}/package.json`))
  return resolve('typescript/bin/tsc')
}

/** The file that the build of a package for this platform has brought. */
function binaryOf(name: string, candidates: readonly string[]): string {
  const { resolve } = createRequire(require.resolve(`${name}/package.json`))
  for (const candidate of candidates) {
    try {
      return resolve(candidate)
    } catch {
      // The build for another C library.
    }
  }
  throw new Error(
    `There is no ${name} for ${platform}-${arch} (looked for ${candidates.join(', ')}). Run ` +
      '`npm install` at the root of the repository without `--omit=optional`. Where the package ' +
      'has no build for a platform, these tests have to run on another.',
  )
}
