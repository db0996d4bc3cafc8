import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-field-renamed-kept.paid') return null
  const value: number = event.data.total
  return value
}
