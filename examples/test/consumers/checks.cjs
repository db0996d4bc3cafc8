const { createServer } = require('node:http')

/** What a consumer must see of the packages, however it loads them. Prints a line per finding. */
exports.check = async (sdk, raw, webhooks, node, fetching, testing) => {
  const { SupportChat, SupportChatError, NotFoundError } = sdk
  const { MemoryDedupeStore, Webhooks, WebhookVerificationError } = webhooks

  const client = new SupportChat()
  const ids = []
  for await (const { id } of client.conversations.list({ limit: 2 })) ids.push(id)
  console.log('all pages:', ids.join(' '))

  const first = await client.conversations.list({ limit: 2 })
  const second = await first.nextPage()
  const page = ({ data, nextCursor }) => `${data.length} ${nextCursor ? 'and more' : 'at the end'}`
  console.log('page by page:', page(first), '|', page(second), '|', await second.nextPage())

  const { data, response, requestId } = await client.analytics.get().withResponse()
  const identified = requestId === response.headers.get('x-request-id') && requestId !== null
  console.log('with response:', response.status, data.conversation_volume, identified)

  const withMiddleware = raw.createRawClient(client)
  const statuses = []
  withMiddleware.use({ onResponse: ({ response }) => void statuses.push(response.status) })
  for (const { GET } of [client.raw, withMiddleware]) {
    const { data, error } = await GET('/v1/conversations/{id}', {
      params: { path: { id: 'none' } },
    })
    const counters = await GET('/v1/analytics')
    console.log('raw:', data, error.status, counters.data.conversation_volume, statuses.join(' '))
  }

  const missing = await client.conversations.get('conv_none').catch((e) => e)
  const isTyped = missing instanceof NotFoundError && missing instanceof SupportChatError
  console.log('error:', missing.name, missing.status, missing.outcome, isTyped)

  const body = '{"event":"a.b","id":"evt_1","occurred_at":"2026-03-02T09:00:00Z","data":{}}'
  const signed = { 'x-service-signature': await Webhooks.sign(body, 'secret') }
  const event = await new Webhooks(['new', 'secret']).unwrap(body, signed)
  console.log('event:', event.event, event.id)

  const forged = await new Webhooks('other').unwrap(body, signed).catch((e) => e)
  const isOurs = forged instanceof WebhookVerificationError && forged instanceof SupportChatError
  console.log('forged:', forged.name, forged.code, isOurs)

  const delivery = await testing.fakeDelivery('future', { secret: 'secret' })
  const post = { method: 'POST', ...delivery }
  const refused = []
  const onError = (error) => {
    refused.push(error instanceof WebhookVerificationError ? error.code : error)
  }
  const store = new MemoryDedupeStore()
  const given = [new Webhooks('secret'), () => {}, { store, onError }]
  const receive = fetching.webhookHandler(...given)
  const server = createServer(node.webhookHandler(...given))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/`
  const responses = [
    await receive(new Request(url, post)),
    await fetch(url, post),
    await receive(new Request(url, { ...post, headers: {} })),
    await fetch(url, { ...post, headers: {} }),
    await fetch(url, { ...post, body: ' '.repeat(2_000_000) }),
    await fetch(url),
  ]
  server.close()
  console.log('received:', responses.map(({ status }) => status).join(' '), '|', refused.join(' '))
}
