// Repositories with a release and a work tree, whose contracts and surfaces are compared.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from '../../changes/cli.ts'
import { diff } from '../../changes/diff.ts'
import { SURFACES } from '../../changes/surface/declarations.ts'
import type { Change, Language } from '../../changes/types.ts'
import { ROOT } from '../../repository.ts'
import { surroundingsOf } from '../../surroundings.ts'
import { temporaryFolder } from '../support.ts'
import { documentOf, type Sketch } from './skeleton.ts'

const surroundings = await surroundingsOf(ROOT)
export const BEHAVIOR = readFileSync(join(ROOT, 'sdks/behavior.yaml'), 'utf8')

export interface Version {
  contract?: Sketch
  behavior?: string
  surfaces: Partial<Record<Language, string>>
}

/** A repository with a release, `1.0.0`, and a work tree after it. */
export function repository(before: Version, after: Version): string {
  const root = temporaryFolder()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const all = [
    [before, 'contracts/1.0.0.yaml', 'contracts/1.0.0.behavior.yaml', 'contracts/1.0.0'],
    [after, 'openapi.yaml', 'sdks/behavior.yaml', 'sdks'],
  ] as const
  for (const [version, contract, behavior, folder] of all) {
    write(contract, JSON.stringify(documentOf(version.contract ?? {})))
    write(behavior, version.behavior ?? BEHAVIOR)
    for (const [language, text] of Object.entries(version.surfaces)) {
      write(`${folder}/${language}/${SURFACES[language as Language]}`, text)
    }
  }
  return root
}

export async function run(root: string, ...args: string[]) {
  const options = parse(args)
  if ('exit' in options) throw new Error(options.text)
  const settings = { ...surroundings, root, today: '2027-01-15' }
  return diff(options, { ...settings, paint: (_, text) => text })
}

export async function changesOf(before: Version, after: Version): Promise<Change[]> {
  const { stdout, stderr } = await run(repository(before, after), '--json')
  if (stderr) throw new Error(stderr)
  return JSON.parse(stdout).changes
}

export const kinds = (changes: readonly Change[]) =>
  changes.map(({ kind, text }) => `${kind} ${text}`)

/** The surface of a package, of one entry. */
export const md = (...blocks: string[]) =>
  `# S\n\n## \`acme\`\n\n\`\`\`ts\n${blocks.join('\n\n')}\n\`\`\`\n`
