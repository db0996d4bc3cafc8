/** Cookies between two pages, hidden from scripts and from other sites. */
import { cookieOf } from '../door/cookies.ts'
import type { HttpRequest } from '../door/message.ts'

type Name = 'mock_key' | 'mock_token'

/** The value of a cookie; undefined if there is none. */
export function readCookie({ headers }: HttpRequest, name: Name): string | undefined {
  const value = cookieOf(headers, name)
  try {
    return value && decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** The header that keeps a value until the browser closes. */
export function keepCookie(name: Name, value: string): Record<string, string> {
  const cookie = `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Strict`
  return { 'set-cookie': cookie }
}
