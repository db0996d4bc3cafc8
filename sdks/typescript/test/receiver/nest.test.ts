// A controller of NestJS, to which the framework passes the raw body.
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Nest,
  type NestExpressApplication,
  nestjs,
  nestjs10,
} from '../../../../toolchains/frameworks.ts'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { WebhookReceiver, Webhooks } from '../../src/webhooks/index.ts'
import { signed } from '../webhooks/support.ts'
import { send } from './servers.ts'

interface RawRequest {
  rawBody?: Buffer
  headers: Record<string, string>
}

interface Reply {
  status(code: number): unknown
}

async function listening({ Controller, Module, NestFactory, Post, Req, Res }: Nest) {
  const receiver = new WebhookReceiver(new Webhooks(SECRET), () => {}, { onError() {} })
  class Hooks {
    async receive(request: RawRequest, reply: Reply): Promise<void> {
      reply.status(await receiver.receive(request.rawBody ?? '', request.headers))
    }
  }
  const method = Object.getOwnPropertyDescriptor(Hooks.prototype, 'receive') ?? {}
  Post()(Hooks.prototype, 'receive', method)
  Req()(Hooks.prototype, 'receive', 0)
  Res({ passthrough: true })(Hooks.prototype, 'receive', 1)
  Controller('webhooks')(Hooks)
  class App {}
  Module({ controllers: [Hooks] })(App)
  const options = { rawBody: true, logger: false } as const
  const app = await NestFactory.create<NestExpressApplication>(App, options)
  onTestFinished(() => app.close())
  return app
}

function deliver(port: number, size: number, type = 'application/json') {
  const data = { ...envelope.data, reason: 'x'.repeat(size) }
  const body = Buffer.from(JSON.stringify({ ...envelope, data }))
  const headers = ['content-type', type, 'x-service-signature', signed(body, SECRET)]
  return send(port, 'POST', body, headers, '/webhooks').then(({ status }) => status)
}

test.each([
  ['10', nestjs10],
  ['12', nestjs],
])('a controller of NestJS %s receives, with a limit of its own', async (_, nest) => {
  const app = await listening(nest)
  app.useBodyParser('json', { limit: '1mb' })
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address() as AddressInfo
  expect(await deliver(port, 0)).toBe(204)
  expect(await deliver(port, 900_000)).toBe(204)
  // Not parsed, so that there is no raw body.
  expect(await deliver(port, 0, 'text/plain')).toBe(500)
})

test('without the limit, NestJS refuses a larger body itself', async () => {
  const app = await listening(nestjs)
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address() as AddressInfo
  expect(await deliver(port, 0)).toBe(204)
  expect(await deliver(port, 200_000)).toBe(413)
})
