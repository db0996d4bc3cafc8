import type { WebhookEvent } from '@shop/sdk/webhooks'

export function handle(event: WebhookEvent) {
  if (event.event !== 'event-enum-introduced.paid') return null
  const value: string = event.data.state
  return value
}
