import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'
import { biome } from '../emit/core/format.ts'
import { formatGo } from '../emit/go/format.ts'
import { formatPython } from '../emit/python/format.ts'
import type { Platform } from '../model/types.ts'
import type { TextFile } from './rewrite.ts'

/** Orders imports and breaks lines as the linters want them, because names of another length move both. */
export function tidy(root: string, paths: readonly string[], platform: Platform): void {
  const args = ['check', '--write', '--colors=off', '--linter-enabled=false', '.']
  const { error } = spawnSync(biome(), args, { cwd: root, stdio: 'ignore' })
  if (error) throw error
  const files = paths.map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }))
  const python = files.filter(({ path }) => path.endsWith('.py'))
  const go = files.filter(({ path }) => path.endsWith('.go'))
  const tidied = [...formatPython(sortImports(root, python, platform)), ...formatGo(go)]
  for (const { path, content } of tidied) writeFileSync(join(root, path), content)
}

/** Ruff's rule I001, with its own fix. */
function sortImports(
  root: string,
  files: readonly TextFile[],
  { pythonImport }: Platform,
): TextFile[] {
  const projects = new Set(files.map(({ path }) => projectOf(root, path)))
  return [...projects].flatMap((project) => {
    const own = files.filter(({ path }) => projectOf(root, path) === project)
    const isort = { 'known-first-party': [pythonImport, ...modulesOf(project)] }
    const settings = { lint: { select: ['I'], isort }, 'line-length': 100 }
    const ruff = new Workspace(settings, PositionEncoding.Utf16)
    try {
      return own.map(({ path, content }) => ({
        path,
        content: fixed(content, ruff.check(content)),
      }))
    } finally {
      ruff.free()
    }
  })
}

/** The folder of the project that a module belongs to. */
function projectOf(root: string, path: string): string {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (existsSync(join(root, folder, 'pyproject.toml'))) return join(root, folder)
  }
  return join(root, dirname(path))
}

/** What a project can import from itself, as Ruff finds it. */
function modulesOf(project: string): string[] {
  return ['.', 'src', 'tests']
    .map((folder) => join(project, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .map((name) => name.replace(/\.py$/, ''))
    .filter((name) => /^[a-z_]\w*$/.test(name))
}

interface Diagnostic {
  fix: {
    edits: Array<{ content: string | null; location: Position; end_location: Position }>
  } | null
}

interface Position {
  row: number
  column: number
}

function fixed(content: string, diagnostics: readonly Diagnostic[]): string {
  const starts = [0]
  for (const { index } of content.matchAll(/\n/g)) starts.push(index + 1)
  const offset = ({ row, column }: Position) => (starts[row - 1] ?? content.length) + column - 1
  const edits = diagnostics.flatMap(({ fix }) => fix?.edits ?? [])
  return edits
    .map((edit) => ({
      from: offset(edit.location),
      to: offset(edit.end_location),
      text: edit.content ?? '',
    }))
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), content)
}
