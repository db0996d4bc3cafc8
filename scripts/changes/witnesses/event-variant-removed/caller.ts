import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-variant-removed.paid') return null
  const pay = event.data.pay
  return pay.type === 'gift' ? pay.code : 'other'
}
