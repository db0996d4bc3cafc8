import { join } from 'node:path'
import { NAME_RULES } from '../languages.ts'
import { loadPlatform } from '../lower/platform.ts'
import type { Platform } from '../model/types.ts'
import { ROOT } from '../repository.ts'
import { PackError } from './packer.ts'

/** The names of the packages. */
export async function readPlatform(): Promise<Platform> {
  const { platform, problems } = await loadPlatform(join(ROOT, 'sdks/names.yaml'), NAME_RULES)
  if (platform) return platform
  throw new PackError(problems.map(({ message, fix }) => `${message}. ${fix}`).join('\n'))
}
