import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { indent } from './doc.ts'
import { PythonFile } from './file.ts'
import { callPath, resourceClass, resourceModule, resourceName } from './naming.ts'
import { SYNC, TWINS, type Twin } from './twins.ts'

/** The client classes: a property per top-level resource, which loads its module by itself. */
export function emitClient(api: Api, sources: Sources): OutFile {
  const summary = 'The clients, which import a resource on first use.'
  const file = new PythonFile('_generated/client.py', sources.contract, summary)
  for (const twin of TWINS) client(twin, api, file)
  return file.finish()
}

function client(twin: Twin, api: Api, file: PythonFile): void {
  const { title, client } = api.platform
  const name = `${twin.prefix}${client}`
  const base = file.use(twin.client, `_core.${twin.module}`)
  const body = () => {
    const example = exampleCall(api, twin)
    const lines = example.length > 0 ? ['Example:', ...example.map(indent)] : []
    file.doc(`The client of the ${title} API${twin.text}.`, lines)
    const raw = () => {
      file.doc('The same methods. They return the response with its data.')
      file.lines(`return ${name}WithRawResponse(self)`)
    }
    file.lines('', `@${file.use('cached_property', 'functools')}`)
    file.block(`def with_raw_response(self) -> ${name}WithRawResponse:`, raw, '')
    resources(twin, api, file, { suffix: '', client: 'self' })
  }
  file.block(`class ${name}(${base}):`, body, '').lines('')
  const rawBase = file.use(`${twin.client}WithRawResponse`, `_core.${twin.module}`)
  const rawBody = () => {
    file.doc(`\`${name}\`, with methods that return a \`RawResponse\`.`)
    resources(twin, api, file, { suffix: 'WithRawResponse', client: 'self._client' })
  }
  file.block(`class ${name}WithRawResponse(${rawBase}):`, rawBody, '').lines('')
}

/** A property per top-level resource. */
function resources(
  twin: Twin,
  api: Api,
  file: PythonFile,
  { suffix, client }: { suffix: string; client: string },
): void {
  for (const resource of api.resources) {
    const name = twin.prefix + resourceClass(resource) + suffix
    const module = resourceModule(resource)
    file.use(name, module, 'typing')
    const load = () => {
      file.doc(resource.text)
      file.lines(`from ${file.relative(module)} import ${name}`, '', `return ${name}(${client})`)
    }
    file.lines('', `@${file.use('cached_property', 'functools')}`)
    file.block(`def ${resourceName(resource)}(self) -> ${name}:`, load, '')
  }
}

/** The call to show first. */
export function exampleCall(api: Api, twin: Twin = SYNC): string[] {
  const lines = exampleLines(api, twin)
  if (lines.length === 0) return []
  const key = api.credential ? 'api_key=api_key, ' : ''
  const client = `${twin.prefix}${api.platform.client}`
  const options = `${key}base_url="http://127.0.0.1:4010"`
  return [`${twin.keyword}with ${client}(${options}) as client:`, ...lines.map(indent)]
}

function exampleLines({ exampleCall, operations }: Api, { keyword, awaits }: Twin): string[] {
  const operation = operations.find(({ id }) => id === exampleCall?.operation)
  if (!operation) return []
  if (!operation.page) return [`print(${awaits}${callPath(operation)}())`]
  const item = operation.page.itemName.map((word) => word.toLowerCase()).join('_')
  const shown = exampleCall?.itemHasId ? `${item}.id` : item
  return [`${keyword}for ${item} in ${callPath(operation)}():`, `    print(${shown})`]
}
