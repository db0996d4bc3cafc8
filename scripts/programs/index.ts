/**
 * Programs that send a request that was seen. The mock server bundles it.
 *
 * ```ts
 * import { programOf } from '@support-chat/scripts/programs'
 *
 * const code = programOf(sent, api, 'go')
 * ```
 */
import type { ProgramWriter, Sent } from '../emit/core/program.ts'
import { programs as go } from '../emit/go/program.ts'
import { programs as python } from '../emit/python/program.ts'
import { programs as ruby } from '../emit/ruby/program.ts'
import { programs as typescript } from '../emit/typescript/program.ts'
import type { Api } from '../model/types.ts'
import { callOf } from './call.ts'

export type { Sent } from '../emit/core/program.ts'
export type { Api } from '../model/types.ts'

const WRITERS = { typescript, python, ruby, go } satisfies Record<string, ProgramWriter>

export type ProgramLanguage = keyof typeof WRITERS

/** A program that calls the SDK of a language, or plain HTTP where no method sends exactly this request. */
export function programOf(sent: Sent, api: Api, language: ProgramLanguage): string {
  const writer = WRITERS[language]
  const made = callOf(sent, api)
  return (made && writer.withSdk(made, api)) ?? writer.plain(sent, api)
}

/** What programs need of an API: its texts and examples are left out. */
export function withoutTexts(api: Api): Api {
  const nothing = { text: null, assumed: null, deprecated: false }
  const text = JSON.stringify(
    { ...api, assumptions: [], resources: [], webhooks: [] },
    (key, value) => {
      if (key === 'doc') return nothing
      if (key === 'examples' || key === 'responses') return []
      return key === 'example' || key === 'pointer' ? undefined : value
    },
  )
  return JSON.parse(text)
}
