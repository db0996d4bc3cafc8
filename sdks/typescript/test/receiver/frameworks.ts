import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { onTestFinished } from 'vitest'
import {
  express4,
  fastify,
  fastify4,
  Hono,
  honoNode,
  Koa,
  Koa2,
  koaBodyparser,
  type Nest,
  nestjs,
  nestjs10,
  reactRouter,
} from '../../../../toolchains/frameworks.ts'
import { webhookPlugin } from '../../src/webhooks/fastify.ts'
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import { webhookHandler as koaHandler } from '../../src/webhooks/koa.ts'
import { webhookHandler as lambdaHandler } from '../../src/webhooks/lambda.ts'
import { webhookHandler as nodeHandler } from '../../src/webhooks/node.ts'
import type { Start } from './cases.ts'
import { formats, gateway } from './lambda.ts'
import { serve } from './servers.ts'
import type { Place } from './suite.ts'

export interface Framework extends Place {
  /** The framework's usual server with a receiver for any method at `/`. */
  start: Start
  /** The same behind what parses bodies, in the way of the framework. */
  consumed: Start
}

type Given = Parameters<Start>

async function listening(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function ofExpress(framework: typeof express): Framework {
  return {
    start: (...given) =>
      listening(
        framework()
          .all('/', nodeHandler(...given))
          .listen(0),
      ),
    consumed: (...given) => {
      const app = framework().use(framework.json())
      return listening(app.all('/', nodeHandler(...given)).listen(0))
    },
  }
}

function ofFastify(framework: typeof fastify): Framework {
  const start = async (given: Given, prefix: string) => {
    const app = framework({ rewriteUrl: ({ url = '/' }) => prefix + url })
    // The application parses JSON, and the plugin does not.
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      done(null, JSON.parse(body as string))
    })
    app.register(webhookPlugin(...given), { prefix })
    onTestFinished(async () => {
      app.server.closeAllConnections()
      await app.close()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as AddressInfo).port
  }
  return {
    start: (...given) => start(given, ''),
    consumed: (...given) => start(given, '/webhooks'),
    keeps: true,
  }
}

function ofKoa(Framework: typeof Koa): Framework {
  const start = (given: Given, isConsumed: boolean) => {
    const app = new Framework()
    app.silent = true
    if (isConsumed) app.use(koaBodyparser())
    return listening(app.use(koaHandler(...given)).listen(0))
  }
  return {
    start: (...given) => start(given, false),
    consumed: (...given) => start(given, true),
  }
}

function ofNest(
  { Module, NestFactory, ...adapters }: Nest,
  name: 'ExpressAdapter' | 'FastifyAdapter',
): Framework {
  class App {}
  Module({})(App)
  const start = async (given: Given, isConsumed: boolean) => {
    const adapter = new adapters[name]() as InstanceType<Nest['ExpressAdapter']>
    const app = await NestFactory.create(App, adapter, { logger: false })
    if (isConsumed) app.use(express.json())
    app.use('/', nodeHandler(...given))
    onTestFinished(async () => {
      app.getHttpServer().closeAllConnections()
      await app.close()
    })
    await app.listen(0, '127.0.0.1')
    return (app.getHttpServer().address() as AddressInfo).port
  }
  return {
    start: (...given) => start(given, false),
    consumed: (...given) => start(given, true),
  }
}

function ofHono(): Framework {
  const start = (app: InstanceType<typeof Hono>) =>
    listening(honoNode.serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  const route = (app: InstanceType<typeof Hono>, given: Given) => {
    const receive = fetchHandler(...given)
    return app.all('/', (context) => receive(context.req.raw))
  }
  return {
    start: (...given) => start(route(new Hono(), given)),
    consumed: (...given) => {
      const app = new Hono().use(async (context, next) => {
        await context.req.json()
        await next()
      })
      return start(route(app, given))
    },
  }
}

function ofReactRouter(): Framework {
  const start = (given: Given, isConsumed: boolean) => {
    const receive = fetchHandler(...given)
    const route = async ({ request }: { request: Request }) => {
      if (isConsumed) await request.json()
      return receive(request)
    }
    const handle = reactRouter.createRequestHandler({
      ...({ assets: { routes: {}, entry: {}, url: '', version: '' } } as object),
      routes: {
        webhooks: { id: 'webhooks', path: '/', module: { action: route, loader: route } },
      },
      entry: { module: {} },
      future: {},
      publicPath: '/',
      assetsBuildDirectory: '',
      basename: '/',
      ssr: true,
      isSpaMode: false,
      prerender: [],
      routeDiscovery: { mode: 'initial' },
    } as never)
    return listening(
      honoNode.serve({
        fetch: (request) => handle(request),
        port: 0,
        hostname: '127.0.0.1',
      }) as Server,
    )
  }
  return {
    start: (...given) => start(given, false),
    consumed: (...given) => start(given, true),
  }
}

function ofLambda(eventOf: (typeof formats)[keyof typeof formats]): Framework {
  return {
    start: (...given) => serve(gateway(lambdaHandler(...given), eventOf)),
    // As Middy does.
    consumed: (...given) => {
      const receive = lambdaHandler(...given)
      const parsed: typeof receive = (event) =>
        receive({ ...event, body: {} as string, isBase64Encoded: false })
      return serve(gateway(parsed, eventOf))
    },
    buffers: true,
  }
}

export const frameworks: Record<string, Framework> = {
  'Express 4': ofExpress(express4),
  'Express 5': ofExpress(express),
  'Fastify 4': ofFastify(fastify4 as never),
  'Fastify 5': ofFastify(fastify),
  'Koa 2': ofKoa(Koa2),
  'Koa 3': ofKoa(Koa),
  'NestJS 10 on Express': ofNest(nestjs10, 'ExpressAdapter'),
  'NestJS 10 on Fastify': ofNest(nestjs10, 'FastifyAdapter'),
  'NestJS 12 on Express': ofNest(nestjs, 'ExpressAdapter'),
  'NestJS 12 on Fastify': ofNest(nestjs, 'FastifyAdapter'),
  Hono: ofHono(),
  'React Router': ofReactRouter(),
  ...Object.fromEntries(
    Object.entries(formats).map(([name, eventOf]) => [`Lambda behind ${name}`, ofLambda(eventOf)]),
  ),
}
