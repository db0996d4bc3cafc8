import { list, object } from '../contract/json.ts'
import type { Name, Operation, Resource } from '../model/types.ts'
import { dotted, fold } from '../model/words.ts'
import type { Context } from './context.ts'

/** The tree of resources that the operations form, each level by name. */
export function resourcesOf(operations: readonly Operation[], context: Context): Resource[] {
  const roots: Resource[] = []
  for (const operation of operations) {
    let level = roots
    for (const index of operation.resource.keys()) {
      const resource = enter(level, operation.resource.slice(0, index + 1))
      resource.text ??= tagText(operation, context)
      if (index === operation.resource.length - 1) resource.operations.push(operation)
      level = resource.children
    }
  }
  sort(roots)
  checkMembers(roots, context)
  return roots
}

function enter(level: Resource[], path: Name[]): Resource {
  const name = fold(path.at(-1) ?? [])
  const found = level.find((resource) => fold(resource.path.at(-1) ?? []) === name)
  if (found) return found
  const resource: Resource = { path, text: null, operations: [], children: [] }
  level.push(resource)
  return resource
}

function tagText(operation: Operation, context: Context): string | null {
  const [name] = list(object(context.at(operation.pointer)).tags)
  const tag = list(context.document.tags)
    .map(object)
    .find((tag) => tag.name === name)
  return typeof tag?.description === 'string' ? tag.description.trim() : null
}

function sort(level: Resource[]): void {
  const key = ({ path }: Resource) => fold(path.at(-1) ?? [])
  level.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  for (const { children } of level) sort(children)
}

// A resource and a method of the same name would be one member of a class.
function checkMembers(level: readonly Resource[], context: Context): void {
  for (const resource of level) {
    const children = new Set(resource.children.map(({ path }) => fold(path.at(-1) ?? [])))
    for (const operation of resource.operations) {
      if (!children.has(fold(operation.method))) continue
      const node = object(context.at(operation.pointer))
      const name = dotted(operation.resource, operation.method)
      const message = `${name} would be both a method and a group of methods`
      context.owner = operation.id
      context.unsupported(
        node,
        undefined,
        message,
        'Choose another name for the operation with x-sdk-method',
      )
      context.owner = null
    }
    checkMembers(resource.children, context)
  }
}
