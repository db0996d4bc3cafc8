import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  return event.event === 'event-renamed.paid' ? event.data.total : null
}
