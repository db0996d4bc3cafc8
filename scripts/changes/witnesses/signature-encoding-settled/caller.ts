import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  return event.event === 'signature-encoding-settled.paid' ? event.data.total : null
}
