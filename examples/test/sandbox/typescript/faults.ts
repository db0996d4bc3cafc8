/** Makes the given calls, each with a fault, and prints the result of each. */
import { APIError, SupportChat, SupportChatError } from '@support-chat/sdk'

const client = new SupportChat()
for (const { call, fault, retries, timeout } of JSON.parse(process.argv[2] ?? '')) {
  const options = { headers: { 'x-mock-fault': fault }, maxRetries: retries, timeout }
  const made =
    call === 'read'
      ? client.analytics.get(options)
      : client.conversations.messages.create('conv_01J2Z8M3VN', { text: fault }, options)
  console.log(await made.then(() => 'succeeded', explain))
}

function explain(error: unknown): string {
  if (error instanceof APIError) return `${error.status} ${error.outcome}`
  if (error instanceof SupportChatError) return `${error.outcome}`
  throw error
}
