import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-map-value-type-changed.paid') return null
  const value: number | undefined = event.data.stock.cup
  return value
}
