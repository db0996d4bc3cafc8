import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { fixturesOf } from '../core/fixtures.ts'
import { failuresOf, type Mock, mocksOf } from '../core/mocks.ts'
import { canonical } from './contract.ts'
import { deprecationOf } from './doc.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'
import { testPackage } from './naming.ts'
import { importOf } from './readme.ts'
import { Types } from './references.ts'
import { jsonLiteral } from './samples.ts'

/** Mocks of the API for the test kit: a fixture of each object, and how each operation responds. */
export function emitMocks(api: Api, sources: Sources): OutFile[] {
  return [fixturesFile(api, sources), apiFile(api, sources)]
}

function fixturesFile(api: Api, sources: Sources): OutFile {
  const { goPackage } = api.platform
  const kit = testPackage(api.platform)
  const file = new GoFile(`${kit}/fixtures`, sources.contract, kit)
  const types = new Types(api)
  for (const { model, value } of fixturesOf(api)) {
    const name = types.name(model.id)
    const type = `${goPackage}.${name}`
    file.useOwn(importOf(api.platform))
    file.doc(
      `${name}Fixture returns the contract's example of [${type}] with your changes.`,
      deprecationOf(model.doc),
    )
    file.block(
      `func ${name}Fixture(changes ...func(*${type})) ${type} {`,
      () => file.lines(`return fixture(${jsonLiteral(value)}, changes)`),
      '}',
    )
    file.lines('')
  }
  return file.finish()
}

function apiFile(api: Api, sources: Sources): OutFile {
  const kit = testPackage(api.platform)
  const file = new GoFile(`${kit}/api`, sources.contract, kit)
  const { requestId } = api.policy.headers
  const { header, millisecondsHeader } = api.policy.retries.serverDelay
  file.doc('The headers of an error response.')
  const constants = () => {
    file.lines(`delayHeader = ${quote(canonical(header))}`)
    file.lines(`delayMillisecondsHeader = ${quote(canonical(millisecondsHeader))}`)
    file.lines(`requestIDHeader = ${quote(canonical(requestId))}`)
  }
  file.block('const (', constants, ')').lines('')
  const list = (name: string, values: readonly object[]) => {
    const items = () => file.lines(...values.map((value) => `${jsonLiteral(value)},`))
    file.block(`var ${name} = []string{`, items, '}')
  }
  file.doc(
    'operationMocks says how each operation responds, as JSON. The first whose path fits is the right one.',
  )
  list('operationMocks', mocksOf(api).map(factsOf))
  file.lines('')
  file.doc('declaredFailures holds an example of each error response of the contract, as JSON.')
  list(
    'declaredFailures',
    failuresOf(api).map(({ status, contentType, example }) => ({ status, contentType, example })),
  )
  return file.finish()
}

function factsOf({ operation, ...facts }: Mock): object {
  return { id: operation.id, ...facts }
}
