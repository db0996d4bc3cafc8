import type { Api, Resource } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PythonFile } from './file.ts'
import { method } from './methods.ts'
import { methodName, resourceClass, resourceModule, resourceName, snake } from './naming.ts'
import { type Scope, scopeOf } from './references.ts'
import { TWINS, type Twin } from './twins.ts'

/** A module per resource: its class, its async twin, and both again for raw responses. */
export function emitResources(api: Api, sources: Sources): OutFile[] {
  const emit = (resource: Resource): OutFile[] => [
    resourceFile(resource, api, sources),
    ...resource.children.flatMap(emit),
  ]
  return api.resources.flatMap(emit)
}

function resourceFile(resource: Resource, api: Api, sources: Sources): OutFile {
  const path = `${resourceModule(resource).replaceAll('.', '/')}.py`
  const file = new PythonFile(path, sources.contract, textOf(resource))
  for (const { module } of TWINS) file.use(module, '_core')
  const members = new Set(resource.operations.map(methodName))
  const scope = { ...scopeOf(api, file), members }
  for (const twin of TWINS) resourceBody(resource, twin, scope)
  for (const twin of TWINS) rawTwin(resource, twin, file)
  return file.finish()
}

function textOf({ text, path }: Resource): string {
  return text ?? `The methods of \`${path.map(snake).join('.')}\`.`
}

function resourceBody(resource: Resource, twin: Twin, scope: Scope): void {
  const { file } = scope
  const { children, operations } = resource
  const name = twin.prefix + resourceClass(resource)
  const body = () => {
    file.doc(textOf(resource)).lines('')
    const construct = () => {
      file.lines('self._client = client')
      for (const child of children) {
        const type = file.use(twin.prefix + resourceClass(child), resourceModule(child))
        file.lines(`self.${resourceName(child)} = ${type}(client)`)
      }
    }
    initializer(twin, construct, file)
    rawProperty(name, file)
    for (const operation of operations) method(operation, twin, scope)
  }
  file.block(`class ${name}:`, body, '').lines('')
}

function initializer({ module, client }: Twin, inside: () => void, file: PythonFile): void {
  file.block(`def __init__(self, client: ${module}.${client}) -> None:`, inside, '')
}

function rawProperty(name: string, file: PythonFile): void {
  const body = () => {
    file.doc('The same methods. They return the response with its data.')
    file.lines(`return ${name}WithRawResponse(self._client)`)
  }
  file.lines('@property')
  file.block(`def with_raw_response(self) -> ${name}WithRawResponse:`, body, '')
}

function rawTwin(resource: Resource, twin: Twin, file: PythonFile): void {
  const name = twin.prefix + resourceClass(resource)
  const body = () => {
    file.doc(`\`${name}\`, with methods that return a \`RawResponse\`.`).lines('')
    const construct = () => {
      const methods = resource.operations.map(methodName)
      if (methods.length > 0) {
        file.lines(`resource = ${name}(${twin.module}.keep_responses(client))`)
      }
      for (const method of methods) {
        file.lines(`self.${method} = ${file.use(twin.raw, '_core.raw')}(resource.${method})`)
      }
      for (const child of resource.children) {
        const type = `${twin.prefix}${resourceClass(child)}WithRawResponse`
        file.use(type, resourceModule(child))
        file.lines(`self.${resourceName(child)} = ${type}(client)`)
      }
    }
    initializer(twin, construct, file)
  }
  file.block(`class ${name}WithRawResponse:`, body, '').lines('')
}
