import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-variant-added.paid') return null
  const pay = event.data.pay
  return pay.type === 'card' ? pay.number : 'other'
}
