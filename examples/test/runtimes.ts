/** What runs the packages. npm brings all of it, pinned by lock files. */
import { createRequire } from 'node:module'
import { bun, deno, fileOf, nodeOf } from '../../scripts/toolchain/packages.ts'

const require = createRequire(import.meta.url)

/** How each runtime runs a file: the program and the arguments before the file's name. */
export const runtimes = {
  'Node 20': () => [nodeOf(20)],
  'Node 22': () => [nodeOf(22)],
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
  'TypeScript 4.9': () => [process.execPath, fileOf('typescript-4.9/bin/tsc')],
  'TypeScript 5.4': () => [process.execPath, fileOf('typescript-5.4/bin/tsc')],
  'TypeScript 5.9': () => [process.execPath, require.resolve('typescript/bin/tsc')],
  'TypeScript 6.0': () => [process.execPath, fileOf('typescript-6.0/bin/tsc')],
  'TypeScript 7.0': () => [process.execPath, fileOf('typescript-7.0/bin/tsc')],
}
