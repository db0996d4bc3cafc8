/** Gives every vector to the verifier and to both receivers, and prints what came out wrong. */
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { MemoryDedupeStore, Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import * as web from '@support-chat/sdk/webhooks/fetch'
import * as node from '@support-chat/sdk/webhooks/node'

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const vectors = read('vectors.json')
const { statuses } = read('receivers.json')

let listener
const server = createServer((incoming, outgoing) => listener(incoming, outgoing))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

let count = 0
for (const vector of vectors) {
  const { id, secrets, tolerance, maxBodyBytes, headers, result } = vector
  const now = () => Date.parse(vector.now ?? '2026-03-02T09:21:48Z')
  const body = bytesOf(vector.body)
  try {
    const webhooks = new Webhooks(secrets, { tolerance, maxBodyBytes, now })
    const outcome = await webhooks.unwrap(body, headers).then(() => 'ok', codeOf)
    check(id, outcome, result)
    // A line feed would end a header, and fetch takes nothing beyond Latin-1.
    if (headers.some(([, value]) => /[\n\u0100-\uffff]/.test(value))) continue
    const options = { store: new MemoryDedupeStore(), onError: () => {} }
    const sized = [...headers, ['content-length', `${body.length}`]] // as a server gives it
    const sent = new Request('http://a/', { method: 'POST', headers: sized, body })
    const response = await web.webhookHandler(webhooks, () => {}, options)(sent)
    check(`${id} by fetch`, response.status, statuses[result])
    listener = node.webhookHandler(webhooks, () => {}, { onError: options.onError })
    check(`${id} by node:http`, await post(body, headers), statuses[result])
  } catch (error) {
    check(id, codeOf(error), result)
  }
  count++
}
server.close()
server.closeAllConnections()
console.log(count > 100 ? 'all vectors' : `only ${count} vectors`)

function check(what, actual, expected) {
  if (actual !== expected) console.log(`${what}: ${actual} instead of ${expected}`)
}

function codeOf(error) {
  return error instanceof WebhookVerificationError ? error.code : error
}

function bytesOf({ utf8, spaces = 0, base64 }) {
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return Buffer.from(utf8 + ' '.repeat(spaces))
}

function post(body, headers) {
  const { port } = server.address()
  const usual = ['host', 'a', 'content-length', `${body.length}`]
  return new Promise((resolve, reject) => {
    request({ port, method: 'POST', headers: [...usual, ...headers.flat()] }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end(body)
  })
}
