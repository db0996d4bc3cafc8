import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import { header, type OutFile, type Sources } from '../core/file.ts'
import { emitClient } from './client.ts'
import { emitContract } from './contract.ts'
import { emitErrors } from './errors.ts'
import { emitEvents } from './events.ts'
import { emitMocks } from './mocks.ts'
import { emitNames } from './names.ts'
import { emitPolicy } from './policy.ts'
import { References } from './references.ts'
import { emitClientSignature, emitResourceSignatures } from './resource-signatures.ts'
import { emitResources } from './resources.ts'
import { emitStores } from './stores.ts'
import { emitTypeSignatures } from './type-signatures.ts'
import { emitTypes } from './types.ts'

export { nameClashes } from './clashes.ts'
export { packageFiles } from './package.ts'
export { readmeSlots } from './readme.ts'
export { writeSnippet } from './snippets.ts'

/**
 * All generated files of the Ruby SDK, from the folder of its gem. There is no formatter: they are
 * in RuboCop's style.
 */
export function emit(api: Api, sources: Sources): OutFile[] {
  const references = new References(api)
  return [
    ...emitNames(api, sources),
    emitPolicy(api, sources),
    ...emitErrors(api, sources),
    emitContract(api, sources),
    ...emitTypes(api, references, sources),
    emitTypeSignatures(api, references, sources),
    ...emitEvents(api, references, sources),
    ...(hasEvents(api) ? [emitStores(api, sources), ...emitMocks(api, references, sources)] : []),
    ...emitResources(api, references, sources),
    emitResourceSignatures(api, references, sources),
    emitClient(api, sources),
    emitClientSignature(api, sources),
    emitEntry(api, sources),
  ]
}

/** The files that `require` loads. */
function emitEntry(api: Api, sources: Sources): OutFile {
  const { gem } = api.platform
  const parts = hasEvents(api) ? ['runtime', 'webhooks'] : ['runtime']
  const lines = [
    `# ${header(sources.names)}`,
    '# frozen_string_literal: true',
    '',
    ...parts.map((part) => `require_relative "${gem}/${part}"`),
    '',
  ]
  return { path: `lib/${gem}.rb`, content: lines.join('\n') }
}
