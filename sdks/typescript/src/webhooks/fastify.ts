import type { IncomingMessage, ServerResponse } from 'node:http'
import { webhookHandler } from './node.js'
import type { WebhookHandler, WebhookHandlerOptions } from './receive.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookHandlerOptions } from './receive.js'

/** What the plugin uses of an instance of Fastify 4 or 5. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown
}

interface FastifyRequest {
  raw: IncomingMessage
}

interface FastifyReply {
  raw: ServerResponse
  hijack(): unknown
}

/**
 * Makes a Fastify plugin that receives deliveries at its prefix. It verifies each delivery and passes
 * its event to `handler`. Content type parsers and `bodyLimit` of the application do not apply to it.
 *
 * @example
 * app.register(webhookPlugin(webhooks, async (event) => save(event)), { prefix: '/webhooks' })
 */
export function webhookPlugin(
  webhooks: Webhooks,
  handler: WebhookHandler,
  options?: WebhookHandlerOptions,
): (scope: FastifyScope) => Promise<void> {
  const receive = webhookHandler(webhooks, handler, options)
  return async (scope) => {
    // The body stays unread, whatever its type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all('/', (request, reply) => {
      reply.hijack()
      receive(request.raw, reply.raw)
    })
  }
}
