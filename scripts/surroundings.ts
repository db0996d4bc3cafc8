import { join } from 'node:path'
import { type Surroundings, Unreadable } from './changes/revision.ts'
import { NAME_RULES } from './languages.ts'
import { loadPlatform } from './lower/platform.ts'
import { loadPolicy } from './lower/policy.ts'
import { formatProblem } from './yaml/index.ts'

/**
 * What a comparison of contracts takes from a repository besides them.
 *
 * @throws Unreadable
 */
export async function surroundingsOf(root: string): Promise<Surroundings> {
  const [names, behavior] = await Promise.all([
    loadPlatform(join(root, 'sdks/names.yaml'), NAME_RULES),
    loadPolicy(join(root, 'sdks/behavior.yaml')),
  ])
  const { platform } = names
  const { policy } = behavior
  if (platform && policy) return { root, platform, policy }
  const [first] = [...names.problems, ...behavior.problems]
  throw new Unreadable(first ? formatProblem(first) : 'sdks/names.yaml cannot be read.')
}
