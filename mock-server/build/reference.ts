import { programOf } from '@support-chat/scripts/programs'
import { requestOf } from '../../scripts/emit/docs/request.ts'
import { LANGUAGES } from '../../scripts/languages.ts'
import type { Api } from '../../scripts/model/types.ts'
import { object, type Schema } from '../src/contract/document.ts'

/** The contract with a program in each language for each operation, for the page that renders it. */
export function withSamples(document: Schema, api: Api): object {
  const paths = structuredClone(object(document.paths)) as Record<string, Record<string, object>>
  for (const operation of api.operations) {
    const described = paths[operation.path]?.[operation.verb.toLowerCase()]
    const sent = requestOf(operation, api)
    if (!described || !sent) continue
    const samples = LANGUAGES.map(({ name, title, fence }) => ({
      lang: fence,
      label: title,
      source: programOf(sent, api, name as Parameters<typeof programOf>[2]),
    }))
    Object.assign(described, { 'x-codeSamples': samples })
  }
  return { ...document, paths }
}
