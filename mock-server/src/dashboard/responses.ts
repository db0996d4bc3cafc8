/** What every page of a browser is sent with. */
import type { HttpResponse } from '../door/message.ts'
import { POLICY } from './layout.ts'
import type { Html } from './parts.ts'

export async function written(
  page: Html,
  status: number,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      // Without a referrer, browsers would also omit the Origin of forms.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    body: String(await page),
  }
}

export function seeOther(location: string, headers: Record<string, string> = {}): HttpResponse {
  return { status: 303, headers: { ...headers, location, 'cache-control': 'no-store' } }
}
