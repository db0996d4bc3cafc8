import { createHash } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '../door/message.ts'

/** Keeps browsers from guessing the content type, and from sending a referrer. */
export const PROTECTION = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** Serves a file that does not change while the server runs; a browser downloads it once. */
export function file(read: () => Promise<string | Uint8Array>, contentType: string) {
  let etag: string | undefined
  return async ({ headers }: HttpRequest): Promise<HttpResponse> => {
    const body = await read()
    etag ??= `"${createHash('sha256').update(body).digest('base64url')}"`
    const cached = { etag, 'cache-control': 'no-cache' }
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    if (known?.some((tag) => tag === etag || tag === '*')) return { status: 304, headers: cached }
    return { status: 200, headers: { ...PROTECTION, ...cached, 'content-type': contentType }, body }
  }
}
