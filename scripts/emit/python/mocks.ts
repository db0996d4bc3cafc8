import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { fixturesOf } from '../core/fixtures.ts'
import { failuresOf, type Mock, mocksOf } from '../core/mocks.ts'
import { PythonFile } from './file.ts'
import { dictionary, quote } from './literal.ts'
import { attribute } from './naming.ts'
import { named, scopeOf } from './references.ts'

/** Mocks of the API for the test kit: a fixture of each object, and how each operation responds. */
export function emitMocks(api: Api, sources: Sources): OutFile[] {
  return [fixturesFile(api, sources), mocksFile(api, sources)]
}

function fixturesFile(api: Api, sources: Sources): OutFile {
  const summary = 'Objects of the API for tests: the examples of the contract, with your changes.'
  const file = new PythonFile('_generated/fixtures.py', sources.contract, summary)
  const scope = scopeOf(api, file)
  const taken = new Set(OWN_NAMES)
  for (const { model, value } of fixturesOf(api)) {
    const type = named(model.id, scope)
    const plain = attribute(model.name)
    const name = taken.has(plain) ? `${plain}_object` : plain
    taken.add(name)
    const fields = scope.index.fields(model).flatMap(({ name, wire }): Array<[string, string]> => {
      return attribute(name) === wire ? [] : [[attribute(name), quote(wire)]]
    })
    const renamed = fields.length > 0 ? `, ${dictionary(fields)}` : ''
    const given = `${type}, ${quote(JSON.stringify(value))}, changes${renamed}`
    const body = () => {
      file
        .doc(`Return the example of \`${model.id}\`.`)
        .lines(`return ${file.use('fixture', 'webhooks._fixture')}(${given})`)
    }
    file.lines('')
    file.block(`def ${name}(**changes: ${file.use('Any', 'typing')}) -> ${type}:`, body, '')
  }
  return file.finish()
}

/** Names that the module imports. */
const OWN_NAMES = ['fixture', 'types']

function mocksFile(api: Api, sources: Sources): OutFile {
  const summary = 'How a mock of the API responds, as JSON.'
  const file = new PythonFile('_generated/mocks.py', sources.contract, summary)
  const mocks = mocksOf(api)
  const ids = mocks.map(({ operation }) => quote(operation.id))
  const alias = file.use('TypeAlias', 'typing')
  const type = ids.length > 0 ? `${file.use('Literal', 'typing')}[${ids.join(', ')}]` : 'str'
  file.lines(`OperationID: ${alias} = ${type}`)
  file.doc('An operation, by its method and path.').lines('')
  list('MOCKS', mocks.map(factsOf), file)
  file.doc('How each operation responds. The first whose path fits is the right one.').lines('')
  const failures = failuresOf(api).map(({ status, contentType, example }) => {
    return { status, contentType, example }
  })
  list('FAILURES', failures, file)
  return file.doc('An example of each error response of the contract.').finish()
}

function list(name: string, values: readonly object[], file: PythonFile): void {
  const items = () => file.lines(...values.map((value) => `${quote(JSON.stringify(value))},`))
  file.block(`${name}: tuple[str, ...] = (`, items, ')')
}

function factsOf({ operation, ...facts }: Mock): object {
  return { id: operation.id, ...facts }
}
