/** The pages of fault rules and snapshots, as a browser without JavaScript meets them. */
import { describe, expect, it } from 'vitest'
import { deliver, idsOf, textOf, visit } from './visitor.ts'

const FAULTS = '/dashboard/faults'
const SNAPSHOTS = '/dashboard/snapshots'

describe('fault rules', () => {
  it('are added, shown with what they did, and removed', async () => {
    const { mock, visitor } = await visit()
    expect(textOf(await visitor.get(FAULTS))).toContain('No request fails by a rule.')
    const added = await visitor.submit(FAULTS, {
      method: 'GET',
      path: '/v1/conversations',
      status: '429',
      retry_after: '2',
      times: '1',
    })
    expect(textOf(added)).toMatch(/Fault rule added\..*status 429, Retry-After 2/)
    const { status, headers } = await mock.get('/v1/conversations')
    expect([status, headers['retry-after']]).toEqual([429, '2'])
    expect((await mock.get('/v1/conversations')).status).toBe(200)
    const { data } = (await mock.get('/_mock/faults')).body
    expect(data).toMatchObject([{ id: 'flt_1', method: 'GET', left: 0, failed: 1 }])

    await visitor.submit(FAULTS, { cut: 'reset', delay: '300ms', rate: '0.5' })
    const shown = await visitor.get(FAULTS)
    expect(textOf(shown)).toMatch(/Every method on every path.*delay 300ms, reset, rate 0.5/)
    expect(idsOf(shown, 'flt')).toEqual(['flt_1', 'flt_2'])
    const one = await visitor.submit(`${FAULTS}/flt_1/remove`)
    expect(idsOf(one, 'flt')).toEqual(['flt_2'])
    expect(textOf(await visitor.submit(`${FAULTS}/clear`))).toContain('0 rules.')
    expect((await visitor.post(`${FAULTS}/flt_2/remove`)).status).toBe(404)
  })

  it.each([
    [{ path: '/v1/nothing' }, 'No path of the contract is /v1/nothing.'],
    [{ path: 'conversations' }, 'must begin with a slash'],
    [{ status: '200' }, 'The field "status" must be a whole number from 400 to 599.'],
    [{ status: 'many' }, 'The field "status" must be a whole number from 400 to 599.'],
    [{ times: '1.5' }, 'The field "times" must be a whole number from 1 to 999999.'],
    [{ rate: '2' }, 'The field "rate" must be a number from 0 to 1.'],
    [{ delay: 'long' }, 'must be a time such as 2s or 300ms'],
    [{ delay: '121s' }, 'is longer than 120s'],
    [{ status: '503', cut: 'reset' }, 'A fault has one of `status`, `reset` and `truncate`'],
  ])('that are wrong say what to do, and stay typed: %j', async (fields, reason) => {
    const { mock, visitor } = await visit()
    const refused = await visitor.post(FAULTS, { ...fields, retry_after: '7' })
    expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining(reason)])
    expect(refused.html).toMatch(/name="retry_after"[^>]*value="7"/)
    for (const value of Object.values(fields)) expect(refused.html).toContain(`value="${value}"`)
    expect((await mock.get('/_mock/faults')).body.data).toEqual([])
  })

  it('are of one sandbox, and take no form of another page', async () => {
    const { visitor } = await visit()
    await visitor.submit(FAULTS, {})
    const foreign = { origin: 'http://127.0.0.1:1' }
    for (const path of [`${FAULTS}/clear`, SNAPSHOTS, `${SNAPSHOTS}/a/restore`]) {
      expect((await visitor.post(path, { snapshot: 'a' }, foreign)).status).toBe(403)
    }
    expect(idsOf(await visitor.get(FAULTS), 'flt')).toEqual(['flt_1'])
    await visitor.submit('/dashboard/key', { key: 'sk_test_other' })
    expect(idsOf(await visitor.get(FAULTS), 'flt')).toEqual([])
  })
})

describe('snapshots', () => {
  it('are taken, restored and removed', async () => {
    const { mock, visitor } = await visit()
    expect(textOf(await visitor.get(SNAPSHOTS))).toContain('No snapshots yet.')
    const taken = await visitor.submit(SNAPSHOTS, { snapshot: 'before' })
    expect(textOf(taken)).toMatch(/Snapshot taken\..*1 snapshot\..*before/)
    const id = await mock.create('Later.')
    expect(textOf(await visitor.submit(`${SNAPSHOTS}/before/restore`))).toContain(
      'Sandbox restored.',
    )
    expect((await mock.get(`/v1/conversations/${id}`)).status).toBe(404)
    expect(textOf(await visitor.submit(`${SNAPSHOTS}/before/remove`))).toContain('0 snapshots.')
    const gone = await visitor.post(`${SNAPSHOTS}/before/restore`)
    expect([gone.status, textOf(gone)]).toEqual([404, expect.stringContaining('Take one first.')])
  })

  it.each(['', ' ', '../x', '<b>', 'a'.repeat(65)])('cannot be called %j', async (name) => {
    const { visitor } = await visit()
    const refused = await visitor.post(SNAPSHOTS, { snapshot: name })
    expect(refused.status).toBe(422)
    expect(refused.html).not.toContain('<b>"')
    if (name.trim() !== '') expect(textOf(refused)).toContain('1 to 64 letters, digits')
  })
})

it('the deliveries are chosen by their ID', async () => {
  const { mock, visitor, receiver } = await visit()
  await deliver(mock, receiver.url)
  const of = async (id: string) =>
    idsOf(await visitor.get(`/dashboard/deliveries?delivery=${id}`), 'dlv')
  expect(await of('dlv_1')).toEqual(['dlv_1'])
  expect(await of('dlv_999')).toEqual([])
  expect(await of('nonsense')).toEqual([])
})

it('the form of a conversation keeps the limit of a name, whatever else has names', async () => {
  const { visitor } = await visit()
  expect((await visitor.get('/dashboard/conversations')).html).toMatch(
    /name="name"[^>]*maxlength="\d+"/,
  )
})
