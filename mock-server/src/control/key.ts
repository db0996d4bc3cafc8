import { unauthorized } from '../door/problem.ts'

/** The key of the sandbox for requests without a key. */
export const DEFAULT_KEY = 'sk_test_demo'

/**
 * The key of a request.
 *
 * @param sent Empty where none was sent.
 * @param usual For requests without one; null where all need one.
 * @throws {Problem} 401
 */
export function keyOr(sent: string, usual: string | null): string {
  if (sent !== '') return sent
  if (usual !== null) return usual
  const detail = 'Send the key of your sandbox as `Authorization: Bearer <API_KEY>`.'
  throw unauthorized(detail)
}
