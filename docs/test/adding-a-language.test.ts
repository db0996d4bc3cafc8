// Keeps docs/adding-a-language.md true: which shared files name languages, and so need an edit for a further one.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES } from '../../scripts/languages.ts'
import { ROOT } from '../../scripts/repository.ts'

const PAGE = 'docs/adding-a-language.md'
const page = read(PAGE)
const edited = pathsIn('What you edit')
const kept = pathsIn('Files that name languages and stay as they are')
const names = LANGUAGES.map(({ name }) => name)

it('a further language edits at most 15 shared files', () => {
  expect(edited.length).toBeGreaterThan(0)
  expect(edited.length).toBeLessThanOrEqual(15)
})

it('the page lists exactly the shared files that name languages', () => {
  const found = sharedFiles().filter((path) => languagesIn(path).length > 1)
  const isKept = (path: string) => kept.some((pattern) => matchesGlob(path, pattern))
  expect(found.filter((path) => !isKept(path)).sort()).toEqual([...edited].sort())
  for (const pattern of kept) expect(found.some((path) => matchesGlob(path, pattern))).toBe(true)
})

it.each(names)('%s has all files that a language writes', (name) => {
  const written = pathsIn('What you write').map((path) => path.replaceAll('<language>', name))
  const missing = written.filter((path) => !path.includes('*') && !existsSync(join(ROOT, path)))
  const isOptional = LANGUAGES.find((one) => one.name === name)?.toolchain === null
  expect(missing).toEqual(isOptional ? [`scripts/toolchain/languages/${name}.ts`] : [])
})

/** The paths in the first column of a table. */
function pathsIn(heading: string): string[] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [table = ''] = section.split(/^## /m)
  return [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(.*?)`/g)].map(([, path = '']) => path),
  )
}

/** What git has, without the files of one language, generated ones, lock files and comparisons. */
function sharedFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  const { stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })
  const generated = read('.generated.json')
  return stdout
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(ROOT, path)) && !isOwn(path))
    .filter((path) => !generated.includes(`"${path}"`) && path !== '.generated.json')
    .filter(
      (path) =>
        path !== PAGE && !/^bench\/|package-lock\.json$|\.png$|^docs\/images\/charts\//.test(path),
    )
}

function isOwn(path: string): boolean {
  return path.split(/[/._-]/).some((word) => names.includes(word))
}

/** The languages that a file names beside comments, or in Markdown whose code it shows. */
function languagesIn(path: string): string[] {
  const text = read(path)
  if (path.endsWith('.md')) {
    const shown = LANGUAGES.filter(({ fence }) => text.includes(`\n\`\`\`${fence}\n`))
    return shown.map(({ name }) => name)
  }
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)(\/\/|#).*$/gm, '$1')
  return names.filter((name) => (name.length > 2 ? anywhere(name) : alone(name)).test(code))
}

function anywhere(name: string): RegExp {
  return new RegExp(name, 'i')
}

/** A name so short is a word of its own: in a string, a path, a key, a package or a constant. */
function alone(name: string): RegExp {
  return new RegExp(`["'\`/,{]${name}["'\`/,}]|-${name}\\b|\\b${name}[:_]|_${name}\\b`, 'i')
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
