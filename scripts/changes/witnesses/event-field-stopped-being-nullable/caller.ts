import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-field-stopped-being-nullable.paid') return null
  const value: number | null = event.data.total
  return value
}
