import * as policy from '../generated/policy.js'
import type { Settings } from './options.js'

/** The path of a URL, without base URL and query. */
export function pathOf(url: string, { baseURL }: Settings): string {
  return url.slice(baseURL.length).replace(/\?.*/s, '')
}

/** A message that ends with its request, without the key. */
export function describe(
  message: string,
  { method, url, requestId }: { method: string; url: string; requestId?: string | null },
  settings: Settings,
): string {
  const request = requestId ? `, request ${requestId}` : ''
  return withoutKey(`${message} (${method} ${pathOf(url, settings)}${request})`, settings)
}

/** A text with the key redacted. */
export function withoutKey(text: string, { apiKey }: Pick<Settings, 'apiKey'>): string {
  // A short key is a placeholder, and may be a part of any word.
  return apiKey.length < 8 ? text : text.replaceAll(apiKey, policy.REDACTION_TEXT)
}
