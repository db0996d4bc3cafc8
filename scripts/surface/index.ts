// What users of each SDK can name: its public surface, in a file that reviewers read and `contract:diff` compares,
// and its reference, in pages that users read.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SURFACES } from '../changes/surface/declarations.ts'
import { LANGUAGES, type Language } from '../changes/types.ts'
import { MissingProgram } from '../toolchain/find.ts'
import type { Package, Style } from './reference/item.ts'
import { overviewOf } from './reference/overview.ts'
import { pagesOf } from './reference/pages.ts'

/** Has a folder of pages for each language. */
export const REFERENCE = 'docs/api'

/** What a file in `tools` has. */
interface Tool {
  read(folder: string): Promise<Package>
  style: Style
}

/** What a language's own tool reports, or why it cannot. */
export type Reported =
  | { language: Language; file: string; content: string; files: Files }
  | { language: Language; file: string; problem: string }

/** Files with what should be in them, from the root of the repository. Null for those that should not be. */
export type Files = Map<string, string | null>

/** Reports the SDKs of a repository as they are now. */
export function reportAll(root: string): Promise<Reported[]> {
  return Promise.all(LANGUAGES.map((language) => report(root, language)))
}

/** Reports one SDK. */
export async function report(root: string, language: Language): Promise<Reported> {
  const folder = join(root, 'sdks', language)
  const file = `sdks/${language}/${SURFACES[language]}`
  try {
    const { read, style }: Tool = await import(`./tools/${language}.ts`)
    const { surface, items } = await read(folder)
    const pages = `${REFERENCE}/${language}`
    const files: Files = new Map([[file, surface]])
    for (const page of globSync(`${pages}/*.md`, { cwd: root }).sort()) files.set(page, null)
    for (const [id, text] of pagesOf(style, items)) files.set(`${pages}/${id}.md`, text)
    return { language, file, content: surface, files }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const cure =
      error instanceof MissingProgram ? '' : ' Run `npm test` once: it installs the tools.'
    return { language, file, problem: `${problem}${cure}` }
  }
}

/** The first page of the reference. */
export function overview(): Files {
  return new Map([[`${REFERENCE}/README.md`, overviewOf()]])
}

/** What keeps the checked-in files from being right, with the cure; null where nothing does. */
export function complaintOf(reported: Reported, root: string): string | null {
  if ('problem' in reported) return `${reported.file}: ${reported.problem}`
  return complaintAbout(reported.files, root)
}

export function complaintAbout(files: Files, root: string): string | null {
  const old = differing(files, root)
  if (old.length === 0) return null
  return `${old.join(', ')}: not up to date. Run \`npm run surface\`.`
}

/** The files that are not as they should be. */
export function differing(files: Files, root: string): string[] {
  return [...files.keys()].filter((path) => {
    const file = join(root, path)
    return (existsSync(file) ? readFileSync(file, 'utf8') : null) !== files.get(path)
  })
}

export function write(files: Files, root: string): void {
  for (const [path, content] of files) {
    const file = join(root, path)
    if (content === null) {
      rmSync(file)
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
