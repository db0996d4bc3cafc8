import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  return event.event === 'signature-header-renamed.paid' ? event.data.total : null
}
