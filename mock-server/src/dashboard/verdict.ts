import { html } from 'hono/html'
import { diagnose } from '../diagnosis/diagnose.ts'
import type { Html } from './parts.ts'

/** Whether a receiver with a secret accepts a delivery, and why not. */
export async function verdictOf(
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
): Promise<Html> {
  const { code, status, findings } = await diagnose({
    delivery: { body: Buffer.from(body), headers: Object.entries(headers) },
    secrets: [{ name: "The endpoint's secret", value: secret }],
    now: Date.now,
  })
  const isAccepted = code === 'ok'
  const title = isAccepted
    ? 'The signature is valid: a receiver accepts this delivery.'
    : `A receiver with this secret refuses it with ${status} (${code}). A rotated secret signs only later attempts.`
  return html`<div class="notice${!isAccepted && ' bad'}" role="status"><p>${title}</p>
${findings.length > 0 && html`<ul>${findings.map(({ text }) => html`<li>${text}</li>`)}</ul>`}</div>`
}
