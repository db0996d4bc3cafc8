import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type {
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
} from '../../../../toolchains/frameworks.ts'
import type { LambdaEvent, LambdaResponse } from '../../src/webhooks/lambda.ts'

export type LambdaFunction = (event: LambdaEvent) => Promise<LambdaResponse>

/** The events that AWS documents, of a request. */
export const formats = {
  'API Gateway, REST': (request: IncomingMessage, body: Buffer) => {
    const { method = '', headers, headersDistinct } = request
    const event: Partial<APIGatewayProxyEvent> = {
      httpMethod: method,
      headers: headers as Record<string, string>,
      multiValueHeaders: headersDistinct,
      body: body.length === 0 ? null : body.toString(),
      isBase64Encoded: false,
    }
    return isUtf8(body) ? event : { ...event, ...base64(body) }
  },
  'API Gateway, HTTP': (request: IncomingMessage, body: Buffer) => {
    const event = second(request)
    if (body.length === 0) return event
    return { ...event, ...(isUtf8(body) ? { body: body.toString() } : base64(body)) }
  },
  'a function URL, in base64': (request: IncomingMessage, body: Buffer) => ({
    ...second(request),
    ...base64(body),
  }),
} satisfies Record<string, (request: IncomingMessage, body: Buffer) => LambdaEvent>

const base64 = (body: Buffer) => ({ body: body.toString('base64'), isBase64Encoded: true })

/** Format 2.0 joins repeated headers. */
function second({ method = '', headersDistinct }: IncomingMessage) {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    values.join(),
  ])
  const event: Pick<Partial<APIGatewayProxyEventV2>, 'version' | 'headers' | 'isBase64Encoded'> = {
    version: '2.0',
    headers: Object.fromEntries(headers),
    isBase64Encoded: false,
  }
  return { ...event, requestContext: { http: { method } } }
}

/** A gateway that calls a function for each request. */
export function gateway(
  call: LambdaFunction,
  eventOf: (request: IncomingMessage, body: Buffer) => LambdaEvent,
): RequestListener {
  return async (request, response) => {
    const result = await call(eventOf(request, await buffer(request)))
    response.writeHead(result.statusCode, result.headers).end(result.body)
  }
}
