import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutFile } from './emit/core/file.ts'
import type { Tools } from './emit/typescript/package.ts'
import type { Language } from './languages.ts'

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What packages for other contracts share with ours, from the folder of each SDK. */
const RUNTIMES: Readonly<Record<Language['folder'], readonly string[]>> = {
  typescript: [
    'src/**/*.ts',
    'package.json',
    'tsconfig.json',
    'tsup.config.ts',
    'LICENSE',
    'THIRD_PARTY_NOTICES',
  ],
  python: ['src/**/*.py', 'src/**/py.typed', 'pyproject.toml', 'LICENSE'],
  ruby: ['lib/**/*.rb', 'sig/**/*.{rbs,yaml}', '*.gemspec', '.rubocop.yml', 'LICENSE'],
  go: ['*.go', '*test/*.go', 'go.mod', 'LICENSE'],
}

const GENERATED = /^(?:\/\/|#) Code generated .* DO NOT EDIT\.$/m
const TEST = /_test\.go$/

/** How this repository formats its code. */
export function biomeConfiguration(): object {
  const { formatter, javascript } = readJson('biome.json')
  return { formatter, javascript }
}

/** The hand-written part of an SDK. */
export function readRuntime(language: Language['folder']): OutFile[] {
  const folder = join(ROOT, 'sdks', language)
  return globSync([...RUNTIMES[language]], { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !TEST.test(path))
    .sort()
    .map((path) => ({ path, content: readFileSync(join(folder, path), 'utf8') }))
    .filter(({ content }) => !GENERATED.test(content))
}

/** What the TypeScript package takes from the root of this repository. */
export function readTools(): Tools {
  const { compilerOptions } = readJson('tsconfig.base.json')
  const { devDependencies } = readJson('package.json')
  return {
    compilerOptions: compilerOptions as Tools['compilerOptions'],
    versions: devDependencies as Tools['versions'],
  }
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>
}
