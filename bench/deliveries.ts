// Deliveries, and everyone who accepts one in JavaScript. Everyone starts from what a receiver holds, the
// body's bytes and the headers, and works to their own scheme. The floor is Node's own HMAC with a prepared
// key and a comparison in constant time.

import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import * as octokit from '@octokit/webhooks-methods'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { build } from 'esbuild'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'

const secret = 'whsec_9wPZ2hVQ7xk1mB4nT6yR8uJ3'
const key = createSecretKey(Buffer.from(secret))
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const ours = new Webhooks(secret)
const oursOnWebCrypto = new (await onWebCrypto()).Webhooks(secret)
const stripe = new Stripe('sk_test_bench').webhooks
const standard = new StandardWebhook(Buffer.from(secret).toString('base64'))

/** A second copy of the package, which finds no node:crypto: what a platform with WebCrypto alone runs. */
async function onWebCrypto(): Promise<typeof import('@support-chat/sdk/webhooks')> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from '@support-chat/sdk/webhooks'`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { process: 'undefined', 'globalThis.process': 'undefined' },
  })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`)
}

/** A delivery of exactly `bytes` bytes; the message's text, not all of it ASCII, makes up the size. */
export function makeBody(bytes: number): Buffer {
  const message = {
    id: 'msg_01J2Z8M40A',
    conversation_id: 'conv_01J2Z8M3VN',
    author: { type: 'visitor', name: 'Zoë' },
    text: '',
    created_at: '2026-03-02T09:14:09Z',
  }
  const envelope = {
    event: 'conversation.message',
    id: 'evt_01J2Z8M3VN',
    occurred_at: '2026-03-02T09:14:09Z',
    data: { conversation_id: 'conv_01J2Z8M3VN', message },
  }
  const room = () => bytes - Buffer.byteLength(JSON.stringify(envelope))
  const paragraph = 'Où est mon colis ? Livré « hier », dit le suivi, mais je ne vois rien. 📦\n'
  message.text = paragraph.repeat(room() / Buffer.byteLength(JSON.stringify(paragraph)))
  message.text += '.'.repeat(room())
  return Buffer.from(JSON.stringify(envelope))
}

/** Everyone who accepts a delivery, by what is asked of them. */
export async function contenders(body: Buffer) {
  const text = body.toString()
  const signature = await Webhooks.sign(body, secret)
  const headers = {
    host: 'shop.example.com',
    'user-agent': 'support-chat/1',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'accept-encoding': 'gzip',
    connection: 'keep-alive',
    'x-service-event': 'conversation.message',
    'x-service-signature': signature,
  }
  const stripeHeader = stripe.generateTestHeaderString({ payload: text, secret })
  const signedAt = new Date()
  const standardHeaders = {
    'webhook-id': 'evt_01J2Z8M3VN',
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
    'webhook-signature': standard.sign('evt_01J2Z8M3VN', signedAt, body),
  }

  const floor = async () => {
    const digest = createHmac('sha256', key).update(body).digest()
    return timingSafeEqual(digest, Buffer.from(signature.slice('sha256='.length), 'hex'))
  }
  return {
    'verify floor': floor,
    'verify ours': () => ours.verify(body, headers),
    'verify ours on WebCrypto': () => oursOnWebCrypto.verify(body, headers),
    'verify stripe': () => stripe.signature?.verifyHeader(body, stripeHeader, secret),
    'verify octokit': () => octokit.verify(secret, body.toString(), signature),
    'verify standard': () => standard.verify(body, standardHeaders, { jsonParse: false }),
    'unwrap floor': async () => {
      await floor()
      return JSON.parse(utf8.decode(body))
    },
    'unwrap ours': () => ours.unwrap(body, headers),
    'unwrap ours on WebCrypto': () => oursOnWebCrypto.unwrap(body, headers),
    'unwrap stripe': () => stripe.constructEvent(body, stripeHeader, secret),
    'unwrap octokit': async () => {
      const payload = body.toString()
      await octokit.verify(secret, payload, signature)
      return JSON.parse(payload)
    },
    'unwrap standard': () => standard.verify(body, standardHeaders),
  }
}

export const sizes = { '300 B': 300, '2 KB': 2048, '64 KB': 65_536, '1 MB': 1_048_576 }
export type Size = keyof typeof sizes
