import type { Api, Operation, Resource } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { fixturesOf } from '../core/fixtures.ts'
import { failuresOf, type Mock, mocksOf } from '../core/mocks.ts'
import { TypeScriptFile } from './file.ts'
import { propertyKey, quote } from './literal.ts'
import { camel, methodName } from './naming.ts'
import { typeText } from './references.ts'

/** Mocks of the API: a factory of each object, and how each operation responds. */
export function emitMocks(api: Api, sources: Sources): OutFile[] {
  return [fixturesFile(api, sources), mocksFile(api, sources), handlersFile(api, sources)]
}

function fixturesFile(api: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/fixtures.ts', sources.contract)
  const factory = file.use('factory', 'fixtures/factory', 'value')
  const taken = new Set<string>()
  file.doc(
    'A factory of each object that responses hold. It returns the example of the contract with your ' +
      'overrides.',
  )
  const write = () => {
    for (const { model, value } of fixturesOf(api)) {
      const name = taken.has(camel(model.name)) ? model.id : camel(model.name)
      taken.add(name)
      const json = quote(JSON.stringify(value))
      const type = file.use(model.id, 'generated/types')
      file.doc(model.doc.text)
      file.lines(`${propertyKey(name)}: ${factory}<${type}>(${json}),`)
    }
  }
  return file.block('export const fixtures = {', write, '}').finish()
}

/** As JSON, in which no key has a meaning to JavaScript. */
function mocksFile(api: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/mocks.ts', sources.contract)
  const type = file.use('Mock', 'msw/mock')
  file.doc('How each operation responds. The first whose path fits is the right one.')
  const lines = mocksOf(api).map((mock) => `${quote(JSON.stringify(factsOf(mock)))},`)
  return file
    .lines(`export const mocks: readonly ${type}[] = [`)
    .lines(...lines)
    .lines(`].map((json) => JSON.parse(json) as ${type})`)
    .finish()
}

function factsOf({ operation, ...facts }: Mock): object {
  return { id: operation.id, ...facts }
}

/** What users call: a handler of each operation, and each error response. */
function handlersFile(api: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/handlers.ts', sources.contract)
  file.doc(
    'A handler of each operation, by the name of its method. It takes the data of the response, a whole ' +
      '`Response`, or a function that makes one of them.',
  )
  file.block(
    'export const mock = {',
    () => {
      for (const one of api.resources) resource(one, file)
    },
    '}',
  )
  file.lines('')
  file.doc('The error responses that the contract declares, with its examples.')
  const failures = () => {
    for (const { status, name, text, contentType, example } of failuresOf(api)) {
      const failure = file.use('failure', 'msw/answer', 'value')
      const body = contentType === null ? 'null, null' : bodyOf(contentType, example)
      file.doc(`${status}${text ? `. ${text}` : ''}`)
      file.lines(`${propertyKey(camel(name))}: ${failure}(${status}, ${body}),`)
    }
  }
  return file.block('export const respond = {', failures, '}').finish()
}

function bodyOf(contentType: string, example: unknown): string {
  return `${quote(contentType)}, ${quote(JSON.stringify(example))}`
}

function resource({ path, operations, children }: Resource, file: TypeScriptFile): void {
  const inside = () => {
    for (const operation of operations) {
      const make = file.use('operation', 'msw/handlers', 'value')
      const types = typesOf(operation, file).join(', ')
      file.doc(`\`${operation.id}\``)
      file.lines(
        `${propertyKey(methodName(operation))}: ${make}<${types}>(${quote(operation.id)}),`,
      )
    }
    for (const child of children) resource(child, file)
  }
  file.block(`${propertyKey(camel(path.at(-1) ?? []))}: {`, inside, '},')
}

/** The data of a response (of a page, all of its fields), the path parameters, and the body of a request. */
function typesOf({ result, pathParams, body }: Operation, file: TypeScriptFile): string[] {
  const data = [...new Set(result.types.map((type) => typeText(type, file)))]
  if (result.optional || data.length === 0) data.push('undefined')
  const params = pathParams.map(({ wire }) => quote(wire)).join(' | ')
  const json = body?.format === 'json' ? typeText(body.type, file) : null
  if (json === null) return [data.join(' | '), ...(params ? [params] : [])]
  const sent = body?.required ? json : `${json} | undefined`
  return [data.join(' | '), params || 'never', sent]
}
