/** A request as code that sends it again, with the key from the environment. */
import { readFileSync } from 'node:fs'
import type { Api, ProgramLanguage, Sent } from '@support-chat/scripts/programs'
import { PROGRAMS } from '../assets.ts'
import type { Call } from '../record/exchanges.ts'
import { curlOf, isUsual } from './curl.ts'
import type { RequestLog } from './log.ts'
import { wholeBodyOf } from './repeat.ts'
import { type LoggedRequest, shownOf } from './shown.ts'

/** The forms of code, with their names. */
export const CODE = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
  go: 'Go',
} as const satisfies Record<'curl' | ProgramLanguage, string>

export type CodeForm = keyof typeof CODE

export function isCodeForm(text: string): text is CodeForm {
  return Object.hasOwn(CODE, text)
}

let known: Api | undefined

/**
 * @param origin The URL of the server, as the reader knows it.
 * @throws {Problem} 409 for a call that is not known completely.
 */
export async function codeOf(
  call: Call,
  form: CodeForm,
  log: Pick<RequestLog, 'entryOf'>,
  origin: string,
): Promise<string> {
  wholeBodyOf(call)
  const shown = shownOf(call, log)
  if (form === 'curl') {
    const target = shown.query ? `${shown.path}?${shown.query}` : shown.path
    return `${curlOf({ ...shown, url: origin + target }, '$SUPPORT_CHAT_API_KEY')}\n`
  }
  const { programOf } = await import('@support-chat/scripts/programs')
  known ??= JSON.parse(readFileSync(PROGRAMS, 'utf8')) as Api
  return programOf(sentOf(shown, origin), known, form)
}

function sentOf(shown: LoggedRequest, origin: string): Sent {
  const { method, path, query, body, body_encoding: encoding } = shown
  const { authorization, ...others } = shown.headers
  const headers = Object.entries(others).filter(([name, value]) => !isUsual(name, value))
  return {
    method,
    origin,
    path,
    query,
    headers: Object.fromEntries(headers),
    hasKey: authorization !== undefined,
    body: body === null ? null : { text: body, isBase64: encoding !== undefined },
  }
}
