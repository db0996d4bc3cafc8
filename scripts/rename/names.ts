import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordedNames } from '../emit/core/manifest.ts'
import { NAME_RULES } from '../languages.ts'
import { loadPlatform, platformOf } from '../lower/platform.ts'
import type { Platform } from '../model/types.ts'
import type { Problem } from '../yaml/index.ts'
import { git } from './repository.ts'

export const NAMES = 'sdks/names.yaml'

/** What the files of a repository are called, and what they shall be called. */
export interface Renaming {
  from: Platform | null
  to: Platform | null
  problems: Problem[]
}

/** Reads the new names from `names.yaml`, and the old ones from what the last run recorded. */
export async function readNames(root: string): Promise<Renaming> {
  const { platform: to, problems } = await loadPlatform(join(root, NAMES), NAME_RULES)
  return { from: recorded(root) ?? (await committed(root)), to, problems }
}

function recorded(root: string): Platform | null {
  const names = recordedNames(root)
  return names && platformOf(names)
}

async function committed(root: string): Promise<Platform | null> {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  try {
    const file = join(folder, 'names.yaml')
    writeFileSync(file, git(root, ['show', `HEAD:./${NAMES}`]))
    return (await loadPlatform(file, NAME_RULES)).platform
  } catch {
    return null
  } finally {
    rmSync(folder, { recursive: true })
  }
}
