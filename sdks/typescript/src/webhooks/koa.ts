import type { IncomingMessage, ServerResponse } from 'node:http'
import { webhookHandler as nodeHandler } from './node.js'
import type { WebhookHandler, WebhookHandlerOptions } from './receive.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookHandlerOptions } from './receive.js'

/** What the middleware uses of a context of Koa 2 or 3. */
export interface KoaContext {
  req: IncomingMessage
  res: ServerResponse
  respond?: boolean
}

/**
 * Makes Koa middleware that receives deliveries, for a route or for all requests. It verifies each
 * delivery and passes its event to `handler`. Add it before the body parser.
 *
 * @example
 * router.all('/webhooks', webhookHandler(webhooks, async (event) => save(event)))
 */
export function webhookHandler(
  webhooks: Webhooks,
  handler: WebhookHandler,
  options?: WebhookHandlerOptions,
): (context: KoaContext) => Promise<void> {
  const receive = nodeHandler(webhooks, handler, options)
  return (context) => {
    context.respond = false
    return receive(context.req, context.res)
  }
}
