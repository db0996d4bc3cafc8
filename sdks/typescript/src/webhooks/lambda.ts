import { createReceiver } from './http.js'
import type { WebhookHandler, WebhookReceiverOptions } from './receive.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookReceiverOptions } from './receive.js'

/** What the function uses of an event of API Gateway (REST or HTTP API) or of a function URL. */
export interface LambdaEvent {
  body?: string | null | undefined
  isBase64Encoded?: boolean | undefined
  headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** Format 1.0 alone. Repeated headers are complete here. */
  multiValueHeaders?: Readonly<Record<string, string[] | undefined>> | null | undefined
  /** The method in format 1.0. */
  httpMethod?: string | undefined
  /** Has the method in format 2.0, as `http.method`. */
  requestContext?: object | undefined
}

/** The response, in either format. */
export interface LambdaResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/**
 * Makes an AWS Lambda function that receives deliveries from API Gateway (REST or HTTP API) or a
 * function URL. It verifies each delivery and passes its event to `handler`. The promise never rejects.
 *
 * @example
 * export const handler = webhookHandler(webhooks, async (event) => save(event), { store })
 */
export function webhookHandler(
  webhooks: Webhooks,
  handler: WebhookHandler,
  options?: WebhookReceiverOptions,
): (event: LambdaEvent) => Promise<LambdaResponse> {
  const receive = createReceiver(webhooks, handler, options)
  return async (event) => {
    const { httpMethod, headers, multiValueHeaders } = event
    const { http } = (event.requestContext ?? {}) as { http?: { method?: string } }
    const response = await receive({
      method: httpMethod ?? http?.method,
      headers: multiValueHeaders ?? headers ?? {},
      read: async () => bodyOf(event),
    })
    return { statusCode: response.status, headers: response.headers, body: '' }
  }
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): string | Uint8Array {
  if (!isBase64Encoded) return body ?? ''
  return Uint8Array.from(atob(body ?? ''), (char) => char.charCodeAt(0))
}
