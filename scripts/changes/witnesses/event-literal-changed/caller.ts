import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-literal-changed.paid') return null
  const value: string = event.data.kind
  return value
}
