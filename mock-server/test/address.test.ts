/** A sandbox must not give access to a private network. */
import type { lookup as resolve } from 'node:dns'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '../src/delivery/address.ts'
import { Sender } from '../src/delivery/sender.ts'
import { type Receiver, receiver } from './receiver.ts'

const PUBLIC = ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001:82a::200e']
const WRAPPED_PUBLIC = ['::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1']
const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '::',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '2001:0:4136:e378:8000:63bf:f5ff:fffe',
  '2001:db9::5efe:10.0.0.1',
]
const NEVER = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fd20:ce::254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '2001:0:0:0:0:0:5601:5601',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  'ff02::1',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b:1::7f00:1',
  'fec0::1',
  '4000::1',
  '100::1',
  '2001:db8::1',
  'localhost',
  '',
]

describe('an address', () => {
  it.each([...PUBLIC, ...WRAPPED_PUBLIC])('%s may be called', (address) => {
    expect(refusalOf(address, { allowPrivate: false })).toBeNull()
    expect(refusalOf(address, { allowPrivate: true })).toBeNull()
  })

  it.each(PRIVATE)('%s may be called only where private networks are allowed', (address) => {
    expect(refusalOf(address, { allowPrivate: false })).toBe('it is in a private network')
    expect(refusalOf(address, { allowPrivate: true })).toBeNull()
  })

  it('of a public network may be called only where these are allowed', () => {
    const policy = { allowPrivate: true, allowPublic: false }
    const refusals = (list: readonly string[]) => list.map((one) => refusalOf(one, policy))
    expect(new Set(refusals(PUBLIC))).toEqual(new Set(['it is not in a private network']))
    expect(new Set(refusals(WRAPPED_PUBLIC))).not.toContain(null)
    expect(new Set(refusals(['127.0.0.1', '10.0.0.1', '::1', 'fd12:3456::1']))).toEqual(
      new Set([null]),
    )
  })

  it.each(NEVER)('%s may never be called', (address) => {
    expect(refusalOf(address, { allowPrivate: false })).toMatch(/^it/)
    expect(refusalOf(address, { allowPrivate: true })).toMatch(/^it/)
  })
})

type Lookup = typeof resolve
/** A resolver that returns the given addresses, one list after the other, and records the looked-up names. */
function resolver(...results: string[][]) {
  const lookups: string[] = []
  const lookup = ((host: string, _options: object, callback: (...result: unknown[]) => void) => {
    const addresses = results[Math.min(lookups.push(host), results.length) - 1] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as unknown as Lookup
  return { lookup, lookups }
}

async function call(url: string, options: { allowPrivate?: boolean; lookup?: Lookup } = {}) {
  const { allowPrivate = false, lookup } = options
  const settings = { allowPrivate, encoding: 'hex', userAgent: 'mock', timeout: 2000 } as const
  const sender = new Sender({ ...settings, ...(lookup && { lookup }) })
  const endpoint = { id: 'ep_1', url, kinds: null, secret: 'whsec_test' }
  const event = { id: 'evt_1', kind: 'conversation.resolved', body: '{}' }
  const first = await sender.send({ endpoint, event })
  // By now the connection is free again.
  await immediate()
  const results = [first, await sender.send({ endpoint, event })]
  await sender.close()
  return results
}

describe('an attempt', () => {
  let target: Receiver
  let port: string
  beforeAll(async () => {
    target = await receiver()
    port = new URL(target.url).port
  })
  afterAll(() => target.close())

  const LITERALS = [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0x7F.0x0.0x0.0x1',
    '017700000001',
    '0177.0.0.1',
    '0177.0x0.1',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[::127.0.0.1]',
    'localhost',
    'LOCALHOST',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'example.com@127.0.0.1',
    'example.com:80@127.0.0.1',
  ]

  it.each(LITERALS)('at http://%s does not reach this machine', async (host) => {
    const before = target.received.length
    for (const result of await call(`http://${host}:${port}/`)) {
      expect(result).toMatchObject({ status: null, retry: false })
      expect(result.reason).toMatch(/^blocked: it is|^the endpoint has a user name/)
    }
    expect(target.received).toHaveLength(before)
  })

  it('at http://localhost. does not reach this machine, even if a resolver accepts the name', async () => {
    const before = target.received.length
    for (const { reason } of await call(`http://localhost.:${port}/`)) {
      expect(reason).toMatch(/^blocked: |ENOTFOUND|EAI_AGAIN/)
    }
    expect(target.received).toHaveLength(before)
  })

  it.each(['127.0.0.1', '2130706433', 'localhost', '127。0。0。1'])(
    'at http://%s reaches it where private networks are allowed',
    async (host) => {
      const [result] = await call(`http://${host}:${port}/`, { allowPrivate: true })
      expect(result).toMatchObject({ status: 204, reason: null })
    },
  )

  it.each(['169.254.169.254', '2852039166', '0xa9fea9fe', '[fe80::1]', '[::ffff:169.254.169.254]'])(
    'at http://%s is refused even where private networks are allowed',
    async (host) => {
      const [result] = await call(`http://${host}/latest/meta-data/`, { allowPrivate: true })
      expect(result).toMatchObject({ status: null, retry: false })
      expect(result?.reason).toMatch(/^blocked: /)
    },
  )

  it('is judged by the addresses of the name', async () => {
    const { lookup, lookups } = resolver(['127.0.0.1'])
    const [refused] = await call(`http://inside.example:${port}/`, { lookup })
    expect(refused).toMatchObject({ retry: false, reason: 'blocked: it is in a private network' })
    const [reached] = await call(`http://inside.example:${port}/`, { lookup, allowPrivate: true })
    expect(reached).toMatchObject({ status: 204 })
    expect(new Set(lookups)).toEqual(new Set(['inside.example']))
  })

  it('is refused where one of several addresses is', async () => {
    const mixed = [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2606:4700::1', '::1'],
    ]
    for (const addresses of mixed) {
      const { lookup } = resolver(addresses)
      const [result] = await call(`http://mixed.example:${port}/`, { lookup })
      expect(result?.reason).toBe('blocked: it is in a private network')
    }
    const { lookup } = resolver(['127.0.0.1', '169.254.169.254'])
    const [result] = await call(`http://mixed.example:${port}/`, { lookup, allowPrivate: true })
    expect(result?.reason).toBe('blocked: it is the metadata service of a cloud')
  })

  it('looks the name up once for each connection, and calls the address that was checked', async () => {
    const before = target.received.length
    // First this machine, then a cloud's metadata service. A second lookup would return what was not checked.
    const { lookup, lookups } = resolver(['127.0.0.1'], ['169.254.169.254'])
    const results = await call(`http://rebind.example:${port}/`, { lookup, allowPrivate: true })
    // The second goes over the connection of the first, which was checked.
    expect(results.map(({ status }) => status)).toEqual([204, 204])
    expect(lookups).toHaveLength(1)
    const [one, two] = target.received.slice(before)
    expect(one?.port).toBe(two?.port)
  })

  it('is checked again on a new connection, after the name moved into a private network', async () => {
    const closing = await receiver((response) => {
      response.writeHead(204, { connection: 'close' }).end()
    })
    const { lookup, lookups } = resolver(['127.0.0.1'], ['169.254.169.254'])
    const url = `http://rebind.example:${new URL(closing.url).port}/`
    const [first, second] = await call(url, { lookup, allowPrivate: true })
    expect(first).toMatchObject({ status: 204 })
    expect(second).toMatchObject({
      status: null,
      retry: false,
      reason: 'blocked: it is the metadata service of a cloud',
    })
    expect(lookups).toHaveLength(2)
    expect(closing.received).toHaveLength(1)
    await closing.close()
  })

  it('to an unknown name is retried', async () => {
    const unknown = ((_host: string, _options: object, callback: (error: Error) => void) => {
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))
    }) as unknown as Lookup
    const [result] = await call('http://nowhere.example/', { lookup: unknown })
    expect(result).toMatchObject({
      retry: true,
      reason: 'the connection failed: no such host (ENOTFOUND)',
    })
  })

  it('to a name without an address fails', async () => {
    const { lookup } = resolver([])
    const [result] = await call('http://empty.example/', { lookup })
    expect(result).toMatchObject({ status: null, retry: true })
  })
})
