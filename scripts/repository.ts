import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Runtime } from './emit/typescript/package.ts'

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** How this repository formats its code. */
export function biomeConfiguration(): object {
  const { formatter, javascript } = readJson('biome.json')
  return { formatter, javascript }
}

/** The hand-written part of the TypeScript SDK, which packages for other contracts share. */
export function readRuntime(): Runtime {
  const folder = join(ROOT, 'sdks/typescript')
  const sources = globSync('src/**/*.ts', { cwd: folder }).map((path) => path.replaceAll('\\', '/'))
  const paths = [
    ...sources.filter((path) => !path.startsWith('src/generated/')).sort(),
    'package.json',
    'tsconfig.json',
    'tsup.config.ts',
    'LICENSE',
    'THIRD_PARTY_NOTICES',
  ]
  const { compilerOptions } = readJson('tsconfig.base.json')
  const { devDependencies } = readJson('package.json') as {
    devDependencies: Record<string, string>
  }
  return {
    files: paths.map((path) => ({ path, content: readFileSync(join(folder, path), 'utf8') })),
    compilerOptions: compilerOptions as Record<string, unknown>,
    tools: devDependencies,
  }
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>
}
