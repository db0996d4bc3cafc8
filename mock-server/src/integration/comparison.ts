import type { Kind, Surroundings } from '@support-chat/scripts/changes'

/** What a comparison of contracts needs from the repository. The build prepares it. */
export interface Comparison extends Pick<Surroundings, 'platform' | 'policy'> {
  catalogue: Kind[]
}
