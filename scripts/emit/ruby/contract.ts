import { current, problemOf } from '../../model/index.ts'
import type { Api, Operation, Parameter } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { Declarations } from './declarations.ts'
import { type RubyWriter, rubyFile } from './file.ts'
import { quote } from './literal.ts'
import { constant, member, methodName } from './naming.ts'

/** The facts about the contract that the runtime needs. */
export function emitContract(api: Api, sources: Sources): OutFile {
  return rubyFile(api.platform, 'contract', sources.contract, (file) => {
    const module = () => {
      file.doc('The facts about the contract that the runtime needs.').tags(['@api private'])
      file.block('module Contract', () => constants(api, file), 'end')
    }
    file.block('module Core', module, 'end')
  })
}

function constants(api: Api, file: RubyWriter): void {
  const { pathPrefix, server, credential, platform } = api
  const operations = current(api.operations)
  file.doc('The prefix of every path, which no base URL contains.')
  file.lines(`PATH_PREFIX = ${quote(pathPrefix)}`, '')
  file.doc('The base URL if none is given. nil if the service has no public address.')
  file.lines(`BASE_URL = ${server === null ? 'nil' : quote(server)}`, '')
  file.doc('The header that carries the API key. nil if the API needs no key.')
  const fields = Object.entries(credential ?? {}).map(([key, text]) => `${key}: ${quote(text)}`)
  if (credential) file.lines(file.list('CREDENTIAL = {', fields, '}.freeze')).lines('')
  else file.lines('CREDENTIAL = nil', '')
  file.doc('The facts about operations.')
  const rows = () => {
    for (const [index, operation] of operations.entries()) {
      const close = index < operations.length - 1 ? '),' : ')'
      const facts = () => writeFacts(factsOf(operation), file)
      file.block(`${quote(operation.id)} => Operation.new(`, facts, close)
    }
  }
  if (operations.length === 0) file.lines('OPERATIONS = {}.freeze', '')
  else file.block('OPERATIONS = {', rows, '}.freeze').lines('')
  file.doc(
    'The type of the problems that all error responses have in common. nil if there is none.',
  )
  const problem = problemOf(api)
  const id = problem && constant(problem.id)
  const isConstant = new Declarations(api).constants.some((decl) => decl.id === id)
  const type = isConstant ? `::${platform.rubyModule}::${id}` : 'nil'
  file.block('def self.problem', () => file.lines(type), 'end')
}

/** A keyword with its value, or with the items of its constructor. */
type Fact = [keyword: string, value: string | { open: string; items: string[]; close: string }]

function writeFacts(facts: readonly Fact[], file: RubyWriter): void {
  for (const [index, [keyword, value]] of facts.entries()) {
    const comma = index < facts.length - 1 ? ',' : ''
    if (typeof value === 'string') file.lines(`${keyword}: ${value}${comma}`)
    else file.lines(file.list(`${keyword}: ${value.open}`, value.items, value.close + comma))
  }
}

const READERS = { json: null, text: ':text', binary: ':binary', none: ':nothing' } as const

/** The arguments of the runtime's `Operation`, if they differ from the defaults. */
function factsOf(operation: Operation): Fact[] {
  const { idempotency, retryable, page, body, result, queryParams } = operation
  const name = [...operation.resource.map(member), methodName(operation)].join('.')
  const facts: Fact[] = [['name', quote(name)]]
  if (idempotency) facts.push(['idempotency_header', quote(idempotency.header)])
  if (retryable) facts.push(['retryable', 'true'])
  if (page) {
    const items = [
      `items: ${quote(page.items)}`,
      `next_cursor: ${quote(page.nextCursor)}`,
      `cursor_param: ${quote(page.cursorParam)}`,
    ]
    facts.push(['page', { open: 'PageFields.new(', items, close: ')' }])
  }
  if (body && body.contentType !== 'application/json') {
    facts.push(['content_type', quote(body.contentType)])
  }
  const reader = READERS[result.format]
  if (reader) facts.push(['read', reader])
  if (result.optional) facts.push(['optional', 'true'])
  const styles = queryParams.flatMap(styleOf)
  if (styles.length > 0) facts.push(['query_styles', { open: '{', items: styles, close: '}' }])
  return facts
}

/** The style of a list or an object, if it is not the default. */
function styleOf({ wire, style }: Parameter): string[] {
  if (!style) return []
  return [`${quote(wire)} => [${quote(style.style)}, ${style.explode}]`]
}
