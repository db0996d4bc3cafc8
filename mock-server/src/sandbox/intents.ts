/**
 * Guesses the intent of a visitor from words of the first message. It stands in for the service's model,
 * so that analytics have something to count.
 */
const INTENTS: ReadonlyArray<readonly [intent: string, words: RegExp]> = [
  ['where is my order', /\b(where|order|parcel|package|deliver\w*|track\w*|shipment)\b/i],
  ['return an item', /\b(return\w*|refund\w*|exchange|send back|wrong size)\b/i],
  ['payment failed', /\b(pay\w*|card|charged?|invoice|billing)\b/i],
  ['shipping', /\b(ship\w*|postage|customs|express)\b/i],
  ['talk to a person', /\b(human|person|agent|someone|somebody)\b/i],
]

export function intentOf(text: string): string {
  return INTENTS.find(([, words]) => words.test(text))?.[0] ?? 'something else'
}
