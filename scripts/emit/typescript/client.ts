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
  const call = exampleCallOf(api)
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

/** The call to show first. */
function exampleCallOf({ exampleCall, operations }: Api): string | null {
  const operation = operations.find(({ id }) => id === exampleCall?.operation)
  if (!operation) return null
  if (!operation.page) return `console.log(await ${path(operation)}())`
  const item = camel(operation.page.itemName)
  const shown = exampleCall?.itemHasId ? `${item}.id` : item
  return `for await (const ${item} of ${path(operation)}()) console.log(${shown})`
}

function path(operation: Operation): string {
  return ['client', ...operation.resource.map(camel), methodName(operation)].join('.')
}
