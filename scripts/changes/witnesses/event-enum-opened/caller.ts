import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-enum-opened.paid') return null
  const value: boolean = event.data.state === 'open'
  return value
}
