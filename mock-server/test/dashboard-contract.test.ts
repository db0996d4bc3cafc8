/** The pages that show the contract and send its events. */
import { expect, it } from 'vitest'
import { textOf, visit } from './visitor.ts'

it('says which operations and events the sandbox serves', async () => {
  const { mock, visitor } = await visit()
  const page = await visitor.get('/dashboard/contract')
  const { title, version, kinds } = mock.server.contract.description
  const { operations } = (await mock.get('/_mock/contract')).body
  const text = textOf(page)
  expect(text).toContain('The sandbox does all that the contract says.')
  expect(text).toContain(`Title ${title} Version ${version}`)
  const origins = { state: 'the data of the sandbox', examples: 'the examples of the contract' }
  for (const { method, path, from } of operations as Record<string, string>[]) {
    expect(text).toContain(`${method} ${path} ${origins[from as keyof typeof origins]}`)
  }
  expect(text).toContain(`GET /v1/conversations ${origins.state}`)
  for (const kind of kinds) expect(text).toContain(kind)
})

it('sends an example of every kind, with other data', async () => {
  const { mock, visitor } = await visit()
  const { kinds } = mock.server.contract.description
  const page = await visitor.get('/dashboard/events')
  for (const kind of kinds) {
    expect(page.html).toContain(`<option>${kind}</option>`)
    const sent = await visitor.submit('/dashboard/trigger', { kind })
    expect(textOf(sent)).toContain('Event sent.')
  }
  const sent = (await mock.events()).map(({ event }: { event: string }) => event)
  expect(sent).toEqual([...kinds])
  await visitor.post('/dashboard/trigger', { kind: kinds[2] ?? '', data: '{"reason":"A refund."}' })
  expect((await mock.events()).at(-1).data.reason).toBe('A refund.')
})

it('refuses a kind that the contract does not have, and data that is no object', async () => {
  const { mock, visitor } = await visit()
  const [kind = ''] = mock.server.contract.description.kinds
  const wrong: Record<string, string>[] = [
    { kind: 'conversation.lost' },
    { kind, data: '[]' },
    { kind, data: '{' },
  ]
  for (const fields of wrong) {
    expect((await visitor.post('/dashboard/trigger', fields)).status).toBe(422)
  }
  expect(await mock.events()).toEqual([])
})
