import type { Api, Operation } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { apart, type RubyWriter, rubyFile } from './file.ts'
import { member, methodName, resourceFile, variable } from './naming.ts'
import type { References } from './references.ts'
import { links } from './resources.ts'

/** The client class: a method per top-level resource. */
export function emitClient(api: Api, references: References, sources: Sources): OutFile {
  const { platform, resources, credential } = api
  const { title, rubyModule } = platform
  const requires = resources.map(resourceFile)
  const write = (file: RubyWriter) => {
    file.doc(`The client of the ${oneLine(title)} API. Threads may share it, and forks inherit it.`)
    const call = exampleCall(api, references)
    if (call !== null) {
      const options = `${credential ? 'api_key: key, ' : ''}base_url: "http://127.0.0.1:4010"`
      file.lines('#', '# @example')
      file.lines(`#   client = ${rubyModule}::Client.new(${options})`, `#   ${call}`)
    }
    const inside = () => apart(file, links(resources, 'self', file))
    file.block('class Client < Core::BaseClient', inside, 'end')
  }
  return rubyFile(platform, 'client', sources.contract, write, { requires })
}

/** The first list that comes in pages, else the first call that needs nothing. */
function exampleCall({ operations }: Api, references: References): string | null {
  const list = operations.find(({ page, pathParams }) => page && pathParams.length === 0)
  if (list?.page) {
    const item = variable(list.page.itemName)
    const target = references.declarations.target(list.page.item)
    const hasId =
      target?.kind === 'model' &&
      references.declarations.fields(target).some(({ wire }) => wire === 'id')
    return `${path(list)}.auto_paging_each { |${item}| puts ${hasId ? `${item}.id` : item} }`
  }
  const call = operations.find(
    ({ pathParams, body, queryParams, headerParams }) =>
      pathParams.length === 0 &&
      !body &&
      ![...queryParams, ...headerParams].some(({ required }) => required),
  )
  return call ? `puts ${path(call)}` : null
}

function path(operation: Operation): string {
  return ['client', ...operation.resource.map(member), methodName(operation)].join('.')
}
