// The public surface of each SDK, in a file that reviewers read and `contract:diff` compares.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SURFACES } from '../changes/surface/declarations.ts'
import { LANGUAGES, type Language } from '../changes/types.ts'
import { MissingProgram } from '../toolchain/find.ts'

/** What a language's own tool reports, or why it cannot. */
export type Reported =
  | { language: Language; file: string; content: string; isFresh: boolean }
  | { language: Language; file: string; problem: string }

/** Reports the SDKs of a repository as they are now. */
export function reportAll(root: string): Promise<Reported[]> {
  return Promise.all(LANGUAGES.map((language) => report(root, language)))
}

/** Reports one SDK. */
export async function report(root: string, language: Language): Promise<Reported> {
  const folder = join(root, 'sdks', language)
  const file = `sdks/${language}/${SURFACES[language]}`
  try {
    const { surfaceOf } = await import(`./tools/${language}.ts`)
    const content: string = await surfaceOf(folder)
    return { language, file, content, isFresh: content === checkedIn(join(root, file)) }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const cure =
      error instanceof MissingProgram ? '' : ' Run `npm test` once: it installs the tools.'
    return { language, file, problem: `${problem}${cure}` }
  }
}

/** What keeps a checked-in surface from being right, with the cure; null where nothing does. */
export function complaintOf(reported: Reported): string | null {
  const { file } = reported
  if ('problem' in reported) return `${file}: ${reported.problem}`
  return reported.isFresh ? null : `${file} is not up to date. Run \`npm run surface\`.`
}

function checkedIn(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
