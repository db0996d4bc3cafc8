import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { breaksOf } from '../../scripts/changes/breaks.ts'
import { comparison } from '../../scripts/changes/diff.ts'
import { defaultBase } from '../../scripts/changes/revision.ts'
import type { Change, Language } from '../../scripts/changes/types.ts'
import { surroundingsOf } from '../../scripts/surroundings.ts'
import { repository } from './packages.ts'

const version = defaultBase(repository)
const today = new Date().toISOString().slice(0, 10)
const settings = { ...(await surroundingsOf(repository)), today }
const { changes } = await comparison({ base: version, target: null }, settings)

/** The README of an SDK at the last release. */
export function releasedReadme(language: string): string {
  return path.join(repository, 'contracts', version, language, 'README.md')
}

/** The folder of the example at the last release. */
export function releasedExample(language: string): string {
  return path.join(repository, 'contracts', version, language, 'example')
}

/** The text of all files of a folder that are programs. */
export async function sourcesIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true })
  const programs = files.filter((file) => /\.(?:ts|py|rb|go)$/.test(file))
  const texts = await Promise.all(programs.map((file) => readFile(path.join(folder, file), 'utf8')))
  return texts.join('\n')
}

/** What the report since the last release says of a program: the changes that can break it. */
export function reportedBreaks(language: string, program: string): Change[] {
  return breaksOf(changes, language as Language, program)
}
