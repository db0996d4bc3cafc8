import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { webhookHandler } from '../../src/webhooks/node.ts'
import { current, steer } from './remote.ts'

export async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = async () => JSON.parse(await text(request))
  const answer = await steer(request.url ?? '/', json)
  if (answer) {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    return
  }
  const { scenario, isConsumed } = current()
  if (isConsumed) await text(request)
  await webhookHandler(scenario.webhooks, scenario.handler, scenario.options)(request, response)
}
