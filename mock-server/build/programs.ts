import { fileURLToPath } from 'node:url'
import type { Api } from '@support-chat/scripts/programs'
import { loadContract } from '../../scripts/contract/load.ts'
import { NAME_RULES } from '../../scripts/languages.ts'
import { lower } from '../../scripts/lower/lower.ts'
import { loadPlatform } from '../../scripts/lower/platform.ts'
import { loadPolicy } from '../../scripts/lower/policy.ts'

const root = new URL('../../', import.meta.url)
const fileOf = (name: string) => fileURLToPath(new URL(name, root))

/** The API as the SDKs have it. @throws {Error} for a file with problems, which `npm run generate` explains */
export async function loadApi(): Promise<Api> {
  const [{ contract }, { platform }, { policy }] = await Promise.all([
    loadContract(fileOf('openapi.yaml'), { overlays: [], strict: true }),
    loadPlatform(fileOf('sdks/names.yaml'), NAME_RULES),
    loadPolicy(fileOf('sdks/behavior.yaml')),
  ])
  if (!contract || !platform || !policy) {
    throw new Error('The contract, the names or the policy has problems. Run npm run generate.')
  }
  return lower(contract, platform, policy).api
}
