// Events that are delivered through an HTTP proxy.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Sender } from '../src/delivery/sender.ts'
import { type Receiver, receiver as startReceiver } from './receiver.ts'

let proxy: Server
let receiver: Receiver
/** Where the proxy was asked to connect to, and with which credentials. */
let tunnels: Array<[target: string, credentials: string | undefined]>
/** What the proxy responds; it connects to the receiver where that is 200. */
let status: number
let senders: Sender[]

beforeEach(async () => {
  tunnels = []
  senders = []
  status = 200
  receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  proxy = createServer().on('connect', ({ url = '', headers }, socket) => {
    tunnels.push([url, headers['proxy-authorization']])
    socket.on('error', () => {})
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`)
    // Whatever the name, as only the proxy looks it up.
    const target = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    target.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close()))
  await receiver.close()
  proxy.closeAllConnections()
  proxy.close()
})

function through(credentials = '') {
  const { port } = proxy.address() as AddressInfo
  const uri = `http://${credentials}127.0.0.1:${port}`
  const sender = new Sender({ allowPrivate: false, encoding: 'hex', userAgent: 'mock', proxy: uri })
  senders.push(sender)
  const endpoint = { id: 'ep_1', kinds: null, secret: 'whsec_test' }
  const event = { id: 'evt_1', kind: 'a', body: '{}' }
  return (url: string) => sender.send({ endpoint: { ...endpoint, url }, event })
}

it('an event goes through the proxy, which looks the name up', async () => {
  const send = through('ada:s3cret@')
  expect(await send('http://shop.test:8080/hook')).toMatchObject({ status: 204, reason: null })
  const credentials = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`
  expect(tunnels).toEqual([['shop.test:8080', credentials]])
  const [{ path, headers } = { path: '', headers: {} }] = receiver.received
  expect([path, headers.host]).toEqual(['/hook', 'shop.test:8080'])
  expect(headers).not.toHaveProperty('proxy-authorization')
})

it('a private address in a URL is refused before the proxy is asked', async () => {
  for (const url of ['http://10.0.0.1/hook', 'http://[::1]/hook', 'http://169.254.169.254/']) {
    const { status, reason, retry } = await through()(url)
    expect([url, status, retry]).toEqual([url, null, false])
    expect(reason).toMatch(/^blocked: /)
  }
  expect(tunnels).toEqual([])
})

it('what the proxy refuses is a failed attempt, which shows no credentials', async () => {
  status = 403
  const result = await through('ada:s3cret@')('http://shop.test/hook')
  expect(result).toMatchObject({ status: null, retry: true })
  expect(JSON.stringify(result)).not.toContain('s3cret')
})
