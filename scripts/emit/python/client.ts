import type { Api, Operation } from '../../model/types.ts'
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
  const base = file.use(twin.client, `_core.${twin.module}`)
  const body = () => {
    file.doc(`The client of the ${title} API${twin.text}.`, exampleCall(api, twin))
    for (const resource of api.resources) {
      const name = twin.prefix + resourceClass(resource)
      const module = resourceModule(resource)
      file.use(name, module, 'typing')
      const load = () => {
        file.doc(resource.text)
        file.lines(`from ${file.relative(module)} import ${name}`, '', `return ${name}(self)`)
      }
      file.lines('', `@${file.use('cached_property', 'functools')}`)
      file.block(`def ${resourceName(resource)}(self) -> ${name}:`, load, '')
    }
  }
  file.block(`class ${twin.prefix}${client}(${base}):`, body, '').lines('')
}

/** The first list that comes in pages, else the first call that needs nothing. */
export function exampleCall(api: Api, twin: Twin = SYNC): string[] {
  const lines = exampleLines(api, twin)
  if (lines.length === 0) return []
  const key = api.credential ? 'api_key=api_key, ' : ''
  const client = `${twin.prefix}${api.platform.client}`
  const options = `${key}base_url="http://127.0.0.1:4010"`
  return [`${twin.keyword}with ${client}(${options}) as client:`, ...lines.map(indent)]
}

function exampleLines(api: Api, { keyword, awaits }: Twin): string[] {
  const list = api.operations.find(({ page, pathParams }) => page && pathParams.length === 0)
  if (list?.page) {
    const item = list.page.itemName.map((word) => word.toLowerCase()).join('_')
    const shown = hasId(list, api) ? `${item}.id` : item
    return [`${keyword}for ${item} in ${callPath(list)}():`, `    print(${shown})`]
  }
  const call = api.operations.find(
    ({ pathParams, body, queryParams, headerParams }) =>
      pathParams.length === 0 &&
      !body &&
      ![...queryParams, ...headerParams].some(({ required }) => required),
  )
  return call ? [`print(${awaits}${callPath(call)}())`] : []
}

function hasId({ page }: Operation, api: Api): boolean {
  const id = page?.item.kind === 'ref' ? page.item.id : null
  const decl = api.decls.find((one) => one.id === id)
  return decl?.kind === 'model' && decl.fields.some(({ wire }) => wire === 'id')
}
