import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-field-constraint-changed.paid') return null
  const value: string = event.data.note
  return value
}
