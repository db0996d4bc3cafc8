import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseChangesetFile } from '@changesets/parse'
import { Unreadable } from '../../changes/unreadable.ts'
import type { Bump } from './items.ts'

export const FOLDER = '.changeset'

/** A changeset that waits for a release. */
export interface Pending {
  /** From the root of the repository. */
  path: string
  summary: string
  /** By the names of packages. */
  bumps: ReadonlyMap<string, Bump>
}

/**
 * The changesets of a repository, sorted by their paths.
 *
 * @throws Unreadable
 */
export function pendingOf(root: string): Pending[] {
  const folder = join(root, FOLDER)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => read(root, `${FOLDER}/${name}`))
}

function read(root: string, path: string): Pending {
  try {
    const { summary, releases } = parseChangesetFile(readFileSync(join(root, path), 'utf8'))
    return { path, summary, bumps: new Map(releases.map(({ name, type }) => [name, type])) }
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new Unreadable(`${path}: ${reason} Correct it, or delete it and run npm run changeset.`)
  }
}

/** A changeset as the command of changesets writes it. */
export function written(name: string, bump: Bump, summary: string): string {
  return `---\n"${name}": ${bump}\n---\n\n${summary}\n`
}
