import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-union-tag-value-changed.paid') return null
  const pay = event.data.pay
  return pay.type === 'card' ? pay.number : 'other'
}
