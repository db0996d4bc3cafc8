import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { fixturesOf } from '../core/fixtures.ts'
import { failuresOf, type Mock, mocksOf } from '../core/mocks.ts'
import { apart, rubyFile, signatureFile } from './file.ts'
import { heredoc, quote } from './literal.ts'
import { OBJECT_METHODS, snake } from './naming.ts'
import type { References } from './references.ts'
import { signature } from './signature.ts'
import { changesOf } from './type-signatures.ts'

/** Mocks of the API for the test kit: a fixture of each object, and how each operation responds. */
export function emitMocks(api: Api, references: References, sources: Sources): OutFile[] {
  const { constants } = references.declarations
  const fixtures = fixturesOf(api).flatMap(({ model, value }) => {
    const decl = constants.find(({ id }) => id === model.id)
    if (decl?.kind !== 'model') return []
    const plain = snake(model.name)
    const name = OBJECT_METHODS.has(plain) ? `${plain}_object` : plain
    return [{ decl, name, value }]
  })
  const library = rubyFile(api.platform, 'mocks', sources.contract, (file) => {
    const constant = (name: string, doc: string, value: unknown) => () => {
      file.doc(doc).tags(['@api private'])
      file.lines(heredoc(name, 'JSON', JSON.stringify(value, null, 2)))
    }
    const methods = fixtures.map(({ decl: { id }, name }) => () => {
      file.doc(`Returns the example of \`${id}\`.`)
      file.tags([
        '@param changes the values of fields, merged deeply',
        `@return [${id}]`,
        '@raise [ArgumentError] for an unknown field. The message lists the fields',
      ])
      const type = `::${api.platform.rubyModule}::${id}`
      const make = () => file.lines(`Fixture.make(${type}, ${quote(id)}, changes)`)
      file.block(`def ${name}(**changes)`, make, 'end')
    })
    const examples = Object.fromEntries(fixtures.map(({ decl, value }) => [decl.id, value]))
    const testing = () =>
      apart(file, [
        constant('FIXTURES', 'An example of each object, in JSON.', examples),
        constant('MOCKS', 'How each operation responds, in JSON.', mocksOf(api).map(factsOf)),
        constant('FAILURES', 'The error responses of the contract, in JSON.', failures(api)),
        () => {
          file.doc('Objects of the API for tests: the examples of the contract, with your changes.')
          const own = () => file.block('class << self', () => apart(file, methods), 'end')
          file.block('module Fixtures', own, 'end')
        },
      ])
    file.block('module Testing', testing, 'end')
  })
  const signatures = signatureFile(api.platform, 'mocks', sources.contract, (file) => {
    const methods = fixtures.map(({ decl, name }) => () => {
      signature(
        `self.${name}`,
        [{ parameters: changesOf(decl, references), result: decl.id }],
        file,
      )
    })
    const ids = mocksOf(api).map(({ operation }) => quote(operation.id))
    const operation = () => file.lines(`type operation = ${ids.join(' | ') || '::String'}`)
    file.block('module Testing', operation, 'end')
    file.lines('')
    // Outside of Testing, whose own classes would hide those of the contract.
    file.block('module Testing::Fixtures', () => apart(file, methods), 'end')
  })
  return [library, signatures]
}

function failures(api: Api): object[] {
  return failuresOf(api).map(({ status, contentType, example }) => ({
    status,
    contentType,
    example,
  }))
}

function factsOf({ operation, ...facts }: Mock): object {
  return { id: operation.id, ...facts }
}
