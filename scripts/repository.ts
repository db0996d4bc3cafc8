import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutFile } from './emit/core/file.ts'
import type { Language } from './emit/core/language.ts'
import type { Edition, Templates } from './emit/core/readme.ts'

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const GENERATED = /^(?:\/\/|#) Code generated .* DO NOT EDIT\.$/m

/** How this repository formats its code. */
export function biomeConfiguration(): object {
  const { formatter, javascript } = JSON.parse(read('', 'biome.json').content)
  return { formatter, javascript }
}

/** The hand-written part of an SDK, from its folder. */
export function readRuntime({ name, runtime: { files, exclude = [] } }: Language): OutFile[] {
  const folder = join('sdks', name)
  return globSync([...files], { cwd: join(ROOT, folder), exclude: [...exclude] })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => read(folder, path))
    .filter(({ content }) => !GENERATED.test(content))
}

/** The templates of the READMEs of a language, with the parts that all languages share. */
export function readTemplates({ name }: Language): Templates {
  const part = (_: string, file: string) => read('scripts/emit/core/readme', `${file}.md`).content
  const template = (edition: Edition) =>
    read(`scripts/emit/${name}`, `${edition}.md`).content.replace(/^\{\{> (\w+)\}\}\n/gm, part)
  return {
    repository: template('repository'),
    package: template('package'),
    agents: template('agents'),
  }
}

/** The templates of the guides that repeat sections of the READMEs, by the names of their pages. */
export function readGuides(): Map<string, string> {
  const folder = join(ROOT, 'scripts/emit/docs/guides')
  return new Map(
    globSync('*.md', { cwd: folder })
      .sort()
      .map((file) => [basename(file, '.md'), readFileSync(join(folder, file), 'utf8')]),
  )
}

/** The files at the root of this repository that a package is adapted from. */
export function readRoot({ root = [] }: Language): OutFile[] {
  return root.map((path) => read('', path))
}

function read(folder: string, path: string): OutFile {
  return { path, content: readFileSync(join(ROOT, folder, path), 'utf8') }
}
