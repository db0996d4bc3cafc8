import { globSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../languages.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A file that holds the version, where npm reads no package.json. */
export interface VersionFile {
  file: string
  /** Where it stands, as its group. */
  pattern: RegExp
}

export const VERSION_FILES: readonly VersionFile[] = LANGUAGES.flatMap(({ name, version }) =>
  globSync(`sdks/${name}/${version.file}`, { cwd: ROOT }).map((file) => ({
    file,
    pattern: version.pattern,
  })),
)

/** The version that a text holds. */
export function versionIn(text: string, where: VersionFile): string {
  return text.slice(...spanOf(text, where))
}

/** The text with another version. */
export function withVersion(text: string, where: VersionFile, version: string): string {
  const [start, end] = spanOf(text, where)
  return text.slice(0, start) + version + text.slice(end)
}

function spanOf(text: string, { file, pattern }: VersionFile): [start: number, end: number] {
  const [span, ...others] = [...text.matchAll(pattern)].flatMap(({ indices }) => [indices?.[1]])
  if (!span || others.length > 0) {
    throw new Error(`${file} does not hold the version exactly once, as ${pattern.source}`)
  }
  return span
}
