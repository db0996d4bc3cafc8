/** Cookies between two pages, hidden from scripts and from other sites. */
import { cookieOf } from '../door/cookies.ts'
import type { HttpRequest } from '../door/message.ts'

type Name = 'mock_key' | 'mock_token' | 'mock_admin'

/** The value of a cookie; undefined if there is none. */
export function readCookie({ headers }: HttpRequest, name: Name): string | undefined {
  const value = cookieOf(headers, name)
  try {
    return value && decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** The header that keeps a value until the browser closes. @param scheme The protocol of the server's URL. */
export function keepCookie(name: Name, value: string, scheme: string): Record<string, string> {
  return { 'set-cookie': `${name}=${encodeURIComponent(value)}${attributesFor(scheme)}` }
}

/** The header that removes a cookie. */
export function dropCookie(name: Name, scheme: string): Record<string, string> {
  return { 'set-cookie': `${name}=; Max-Age=0${attributesFor(scheme)}` }
}

function attributesFor(scheme: string): string {
  return `; Path=/; HttpOnly; SameSite=Strict${scheme === 'https:' ? '; Secure' : ''}`
}
