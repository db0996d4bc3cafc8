import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  return event.event === 'signature-encoding-changed.paid' ? event.data.total : null
}
