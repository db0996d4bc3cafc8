import { describe, expectTypeOf, it } from 'vitest'
import type {
  APIError,
  APIPromise,
  Conversation,
  ConversationStatus,
  ConversationSummary,
  Handoff,
  Message,
  Page,
  PagePromise,
  Source,
  SupportChat,
} from '../../src/index.js'

declare const client: SupportChat

type Problem = NonNullable<APIError['problem']>

describe('the client’s types', () => {
  it('name what a call resolves to', () => {
    expectTypeOf(client.conversations.get('a')).toEqualTypeOf<APIPromise<Conversation>>()
    expectTypeOf(client.conversations.list()).toEqualTypeOf<PagePromise<ConversationSummary>>()
    expectTypeOf(
      client.conversations.messages.create('a', { text: 'x' }),
    ).resolves.toEqualTypeOf<Message>()
    expectTypeOf(
      client.knowledge.sources.create({ type: 'url', url: 'x' }),
    ).resolves.toEqualTypeOf<Source>()
    expectTypeOf(client.request('GET', '/v1/new')).resolves.toEqualTypeOf<unknown>()
    expectTypeOf(
      client.request<number>('GET', '/v1/conversations'),
    ).resolves.toEqualTypeOf<number>()
    const known = client.request('GET', '/v1/conversations/{id}', { path: { id: 'a' } })
    expectTypeOf(known).toEqualTypeOf<APIPromise<Conversation>>()
    expectTypeOf(client.request('POST', '/v1/knowledge/sources')).resolves.toEqualTypeOf<Source>()
  })

  it('give the items in a loop and a page when awaited', async () => {
    for await (const item of client.conversations.list()) {
      expectTypeOf(item).toEqualTypeOf<ConversationSummary>()
    }
    expectTypeOf(await client.conversations.list()).toEqualTypeOf<Page<ConversationSummary>>()
  })

  it('keep statuses open and complete', () => {
    expectTypeOf<'open'>().toExtend<ConversationStatus>()
    expectTypeOf<'a status of tomorrow'>().toExtend<ConversationStatus>()
    expectTypeOf<number>().not.toExtend<ConversationStatus>()
    expectTypeOf<Conversation['handoff']>().toEqualTypeOf<Handoff | null>()
  })

  it('refuse bodies that the contract does not have', () => {
    // @ts-expect-error: text is required
    client.conversations.messages.create('a', {})
    // @ts-expect-error: a text has no url
    client.knowledge.sources.create({ type: 'text', url: 'x' })
    // @ts-expect-error: no such kind of source
    client.knowledge.sources.create({ type: 'video', url: 'x' })
    // @ts-expect-error: an identifier is text
    client.conversations.get(7)
    // @ts-expect-error: no such parameter
    client.conversations.list({ state: 'open' })
  })

  it('type the raw client by path and status', async () => {
    const { data, error } = await client.raw.GET('/v1/conversations/{id}', {
      params: { path: { id: 'a' } },
    })
    expectTypeOf(data).toEqualTypeOf<Conversation | undefined>()
    expectTypeOf(error).toEqualTypeOf<Problem | undefined>()
    const bytes = await client.raw.GET('/v1/conversations', { parseAs: 'blob', timeout: 5 })
    expectTypeOf(bytes.data).toEqualTypeOf<Blob | undefined>()
    // @ts-expect-error: the identifier is missing
    client.raw.GET('/v1/conversations/{id}')
    // @ts-expect-error: the body is missing
    client.raw.POST('/v1/knowledge/sources', {})
    // @ts-expect-error: nothing can be posted there
    client.raw.POST('/v1/conversations')
    // @ts-expect-error: no such path
    client.raw.GET('/v1/nothing')
  })
})
