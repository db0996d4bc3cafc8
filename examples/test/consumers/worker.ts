import { SupportChat } from '@support-chat/sdk'
import { createRawClient } from '@support-chat/sdk/raw'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { webhookHandler } from '@support-chat/sdk/webhooks/fetch'

interface Env {
  API_KEY: string
  BASE_URL: string
  WEBHOOK_SECRET: string
}

const found: unknown[] = []

/** A worker that receives events and asks the API about them; a GET says what it has found. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method === 'GET') return Response.json(found)

    const webhooks = new Webhooks(env.WEBHOOK_SECRET, { maxBodyBytes: 10_000 })
    const receive = webhookHandler(webhooks, async (event) => {
      if (event.event !== 'conversation.handoff') return
      const client = new SupportChat({ apiKey: env.API_KEY, baseURL: env.BASE_URL })
      const { conversation_id } = event.data
      await client.conversations.messages.create(conversation_id, { text: 'Coming!' })
      const { transcript } = await client.conversations.get(conversation_id)
      const ids: string[] = []
      for await (const { id } of client.conversations.list()) ids.push(id)
      const counters = await Promise.all(
        [client.raw, createRawClient(client)].map((raw) => raw.GET('/v1/analytics')),
      )
      const volumes = counters.map(({ data }) => data?.conversation_volume)
      found.push({ messages: transcript.length, last: transcript.at(-1)?.text, ids, volumes })
    })
    return receive(request)
  },
}
