import { stringifyYaml } from '@redocly/openapi-core'
import type { Api } from '../../model/types.ts'
import { header, type OutFile, type Sources } from '../core/file.ts'
import { documentOf } from './document.ts'

/** The webhooks as an AsyncAPI document; nothing where there are none. */
export function emitAsyncAPI(api: Api, sources: Sources): OutFile[] {
  if (api.webhooks.length === 0) return []
  // Without noRefs, equal parts would become YAML aliases, which readers must look up.
  const text = stringifyYaml(documentOf(api), { lineWidth: 100, noRefs: true })
  return [{ path: 'asyncapi.yaml', content: `# ${header(sources.contract)}\n${text}` }]
}
