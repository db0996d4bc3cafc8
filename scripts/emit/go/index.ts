import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { emitClient } from './client.ts'
import { emitContract } from './contract.ts'
import { emitErrors } from './errors.ts'
import { emitEvents } from './events.ts'
import { formatGo } from './format.ts'
import { emitMocks } from './mocks.ts'
import { emitNames } from './names.ts'
import { emitPolicy } from './policy.ts'
import { emitResources } from './resources.ts'
import { emitStores } from './stores.ts'
import { emitTypes } from './types.ts'

export { nameClashes } from './clashes.ts'
export { formatGo } from './format.ts'
export { packageFiles } from './package.ts'
export { readmeSlots } from './readme.ts'
export { writeSnippet } from './snippets.ts'

/**
 * All generated files of the Go SDK, from the folder of its package. They end in `.gen.go`, and stand
 * beside the runtime, which is written by hand: one flat package, as Go has it.
 */
export function emit(api: Api, sources: Sources): OutFile[] {
  return formatGo([
    emitNames(api, sources),
    emitPolicy(api, sources),
    emitErrors(api, sources),
    emitContract(api, sources),
    emitTypes(api, sources),
    ...emitEvents(api, sources),
    ...(hasEvents(api) ? [emitStores(api, sources)] : []),
    ...emitMocks(api, sources),
    emitResources(api, sources),
    emitClient(api, sources),
  ])
}
