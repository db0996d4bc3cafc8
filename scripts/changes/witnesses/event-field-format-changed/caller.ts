import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-field-format-changed.paid') return null
  const value: string = event.data.at
  return value
}
