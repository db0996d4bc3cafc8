import { targetOf } from '../delivery/sender.ts'
import { invalid } from '../door/problem.ts'

/**
 * Refuses a URL that would otherwise only show as a dead delivery.
 *
 * @throws {Problem} 422 for a URL that cannot be called.
 */
export function checkUrl(url: string): void {
  const target = targetOf(url)
  if (typeof target !== 'string') return
  throw invalid(
    `The URL cannot be called: ${target}. Use a URL such as http://127.0.0.1:3000/webhooks.`,
  )
}
