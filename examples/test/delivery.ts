/** Deliveries as the service makes and posts them; signed here, apart from what the SDKs do. */
import { createHmac } from 'node:crypto'

export const SECRET = 'whsec_test'

/** The body, with characters of two, three and four bytes. */
export const BODY = JSON.stringify({
  event: 'conversation.handoff',
  id: 'evt_1',
  occurred_at: '2026-03-02T09:21:48Z',
  data: { conversation_id: 'conv_1', reason: 'Il veut parler à quelqu’un 🙋' },
})

/** A delivery, signed with the secret of a sender. */
export function delivery(secret = SECRET): RequestInit {
  const digest = createHmac('sha256', secret).update(BODY).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-service-signature': `sha256=${digest}` }
  return { method: 'POST', headers, body: BODY }
}

/** The status and the body of the response to a request. */
export async function responseOf(url: string, request: RequestInit): Promise<[number, string]> {
  const response = await fetch(url, request)
  return [response.status, await response.text()]
}
