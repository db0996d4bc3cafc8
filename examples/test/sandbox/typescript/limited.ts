/** Calls a server that limits requests, and prints how each call ends. */
import { RateLimitError, SupportChat } from '@support-chat/sdk'

const client = new SupportChat()
for (const maxRetries of [2, 2, 0]) console.log(await ending(maxRetries))

async function ending(maxRetries: number): Promise<string> {
  const start = performance.now()
  try {
    await client.analytics.get({ maxRetries })
  } catch (error) {
    if (error instanceof RateLimitError) return `refused: ${error.retryAfter}`
    throw error
  }
  return performance.now() - start >= 1000 ? 'succeeded after a wait' : 'succeeded'
}
