import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-field-became-required.paid') return null
  const value: string | undefined = event.data.note
  return value
}
