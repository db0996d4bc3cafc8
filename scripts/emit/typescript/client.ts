import type { Api, Operation } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { TypeScriptFile } from './file.ts'
import { camel, methodName, resourceClass, resourceModule } from './naming.ts'

/** The client class: a field per top-level resource. */
export function emitClient(api: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/client.ts', sources.contract)
  const { title, client } = api.platform
  const base = file.use('BaseClient', 'core/client', 'value')
  const paths = file.use('paths', 'generated/paths')
  file.lines('/**', ` * The client of the ${title} API.`)
  const call = exampleCall(api)
  if (call !== null) {
    const options = `{ ${api.credential ? 'apiKey, ' : ''}baseURL: 'http://127.0.0.1:4010' }`
    file.lines(' *', ' * @example', ` * const client = new ${client}(${options})`, ` * ${call}`)
  }
  file.lines(' */')
  const fields = () => {
    for (const resource of api.resources) {
      const type = file.use(
        resourceClass(resource),
        `generated/${resourceModule(resource)}`,
        'value',
      )
      file.lines(`readonly ${camel(resource.path.at(-1) ?? [])} = new ${type}(this)`)
    }
  }
  return file.block(`export class ${client} extends ${base}<${paths}> {`, fields, '}').finish()
}

/** The first list that comes in pages, else the first call that needs nothing. */
function exampleCall(api: Api): string | null {
  const list = api.operations.find(({ page, pathParams }) => page && pathParams.length === 0)
  if (list?.page) {
    const item = camel(list.page.itemName)
    const shown = hasId(list, api) ? `${item}.id` : item
    return `for await (const ${item} of ${path(list)}()) console.log(${shown})`
  }
  const call = api.operations.find(
    ({ pathParams, body, queryParams, headerParams }) =>
      pathParams.length === 0 &&
      !body &&
      ![...queryParams, ...headerParams].some(({ required }) => required),
  )
  return call ? `console.log(await ${path(call)}())` : null
}

function path(operation: Operation): string {
  return ['client', ...operation.resource.map(camel), methodName(operation)].join('.')
}

function hasId({ page }: Operation, api: Api): boolean {
  const id = page?.item.kind === 'ref' ? page.item.id : null
  const decl = api.decls.find((one) => one.id === id)
  return decl?.kind === 'model' && decl.fields.some(({ wire }) => wire === 'id')
}
