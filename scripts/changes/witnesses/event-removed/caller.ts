import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  return event.event === 'event-removed.refunded' ? event.data.total : null
}
