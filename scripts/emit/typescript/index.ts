import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { emitClient } from './client.ts'
import { emitContract } from './contract.ts'
import { emitErrors } from './errors.ts'
import { emitEvents } from './events.ts'
import { compareNames, TypeScriptFile } from './file.ts'
import { emitMocks } from './mocks.ts'
import { emitNames } from './names.ts'
import { emitPolicy } from './policy.ts'
import { emitResources } from './resources.ts'
import { emitShapes } from './shapes.ts'
import { emitStores } from './stores.ts'
import { emitTypes } from './types.ts'

export { nameClashes } from './naming.ts'
export { packageFiles } from './package.ts'
export { readmeSlots } from './readme.ts'
export { writeSnippet } from './snippets.ts'

/** All generated files of the TypeScript SDK, from the folder of its package. */
export async function emit(api: Api, sources: Sources): Promise<OutFile[]> {
  return [
    emitNames(api, sources),
    emitPolicy(api, sources),
    emitErrors(api, sources),
    emitContract(api, sources),
    emitShapes(api, sources),
    ...(await emitTypes(api, sources)),
    ...emitEvents(api, sources),
    ...(hasEvents(api) ? [emitStores(api, sources)] : []),
    ...emitResources(api, sources),
    ...emitMocks(api, sources),
    emitClient(api, sources),
    emitIndex(api, sources),
  ]
}

/** The public exports of the generated code. */
function emitIndex({ platform, policy }: Api, sources: Sources): OutFile {
  const errors = policy.errors.classes.map(({ name }) => name).sort(compareNames)
  return new TypeScriptFile('generated/index.ts', sources.contract)
    .lines(`export { ${platform.client} } from './client.js'`)
    .lines(`export { ${errors.join(', ')} } from './errors.js'`)
    .lines(`export { ${platform.client}Error } from './names.js'`)
    .lines("export type { paths } from './paths.js'")
    .lines("export type * from './types.js'")
    .finish()
}
