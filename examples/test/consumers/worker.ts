import { SupportChat } from '@support-chat/sdk'
import { Webhooks } from '@support-chat/sdk/webhooks'

interface Env {
  API_KEY: string
  BASE_URL: string
  WEBHOOK_SECRET: string
}

/** A worker that receives events and asks the API about them. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const event = await new Webhooks(env.WEBHOOK_SECRET).unwrap(
      await request.arrayBuffer(),
      request.headers,
    )
    if (event.event !== 'conversation.handoff') return new Response(null, { status: 204 })

    const client = new SupportChat({ apiKey: env.API_KEY, baseURL: env.BASE_URL })
    const conversation = await client.conversations.get(event.data.conversation_id)
    const answer = await client.conversations.messages.create(conversation.id, { text: 'Coming!' })
    const ids: string[] = []
    for await (const { id } of client.conversations.list()) ids.push(id)
    return Response.json({ transcript: conversation.transcript.length, posted: answer.id, ids })
  },
}
