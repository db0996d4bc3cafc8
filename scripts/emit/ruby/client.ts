import type { Api, Operation } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { apart, type RubyWriter, rubyFile } from './file.ts'
import { member, methodName, resourceFile, variable } from './naming.ts'
import { links } from './resources.ts'

/** The client class: a method per top-level resource. */
export function emitClient(api: Api, sources: Sources): OutFile {
  const { platform, resources, credential } = api
  const { title, rubyModule } = platform
  const requires = resources.map(resourceFile)
  const write = (file: RubyWriter) => {
    file.doc(`The client of the ${oneLine(title)} API. Threads may share it, and forks inherit it.`)
    const call = exampleCallOf(api)
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

/** The call to show first. */
function exampleCallOf({ exampleCall, operations }: Api): string | null {
  const operation = operations.find(({ id }) => id === exampleCall?.operation)
  if (!operation) return null
  if (!operation.page) return `puts ${path(operation)}`
  const item = variable(operation.page.itemName)
  const shown = exampleCall?.itemHasId ? `${item}.id` : item
  return `${path(operation)}.auto_paging_each { |${item}| puts ${shown} }`
}

function path(operation: Operation): string {
  return ['client', ...operation.resource.map(member), methodName(operation)].join('.')
}
