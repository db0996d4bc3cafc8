/**
 * Guesses the intent of a visitor from words of the first message. It stands in for the service's model,
 * so that analytics have something to count.
 */
const INTENTS: ReadonlyArray<readonly [intent: string, words: RegExp]> = [
  // Most texts name an order, whatever they are about. So that comes last.
  ['return an item', /\b(return\w*|exchange|send back|wrong size)\b/i],
  ['get a refund', /\b(refund\w*|money back)\b/i],
  ['why was I charged', /\b(charged?|charges|invoice|billing|billed)\b/i],
  ['payment failed', /\b(pay\w*|card)\b/i],
  ['will you ship to me', /\b(ship(?:s|ping)?|postage|customs|express)\b/i],
  ['where is my order', /\b(where|order|parcel|package|deliver\w*|track\w*|shipment)\b/i],
  ['talk to a person', /\b(human|person|agent|someone|somebody)\b/i],
]

export function intentOf(text: string): string {
  return INTENTS.find(([, words]) => words.test(text))?.[0] ?? 'something else'
}
