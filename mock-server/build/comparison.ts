import { fileURLToPath } from 'node:url'
import { loadCatalogue } from '@support-chat/scripts/changes'
import { NAME_RULES } from '../../scripts/languages.ts'
import { loadPlatform } from '../../scripts/lower/platform.ts'
import { loadPolicy } from '../../scripts/lower/policy.ts'
import type { Comparison } from '../src/integration/comparison.ts'

const sdks = new URL('../../sdks/', import.meta.url)
const fileOf = (name: string) => fileURLToPath(new URL(name, sdks))

/** Reads what a comparison needs. @throws {Error} for a file with problems, which `npm run generate` explains */
export async function comparison(): Promise<Comparison> {
  const [{ platform }, { policy }, { catalogue, problems }] = await Promise.all([
    loadPlatform(fileOf('names.yaml'), NAME_RULES),
    loadPolicy(fileOf('behavior.yaml')),
    loadCatalogue(),
  ])
  if (!platform || !policy || problems.length > 0) {
    throw new Error('The names, the policy or the catalogue has problems. Run npm run generate.')
  }
  return { platform, policy, catalogue: [...catalogue.values()] }
}
