import type { Doc, Operation, TypeRef } from '../../model/types.ts'
import { PREVIEW } from '../core/remarks.ts'
import { type Argument, type Signature, signatureOf } from './arguments.ts'
import { argumentLines, docText, hang, indent } from './doc.ts'
import type { PythonFile } from './file.ts'
import { dictionary, quote } from './literal.ts'
import { argument, callPath, methodName } from './naming.ts'
import {
  alternatives,
  modelOf,
  named,
  readerOf,
  type Scope,
  typeText,
  untaggedArguments,
} from './references.ts'
import type { Twin } from './twins.ts'

/** Writes a method: its overloads, its signature, its text and its request. */
export function method(operation: Operation, twin: Twin, scope: Scope): void {
  const { file } = scope
  file.use('RequestOptions', '_core.options')
  file.use('Unpack', '_core.typed')
  const signature = signatureOf(operation, scope)
  // A list is called without await, so that it can be awaited or iterated.
  const word = operation.page ? '' : twin.keyword
  const result = resultText(operation, twin, scope)
  const head = (keywords: readonly Argument[], end: string) => {
    const list = parameters({ ...signature, keywords }, file)
    return `${word}def ${methodName(operation)}(${list}${end}) -> ${result}:`
  }
  for (const keywords of signature.overloads) {
    file.lines(`@${file.use('overload', 'typing')}`, `${head(keywords, ',')} ...`)
  }
  const body = () => {
    document(operation, signature, scope)
    warn(operation, file)
    file.lines(`return ${request(operation, signature, twin, scope)}`)
  }
  file.block(head(signature.keywords, ''), body, '')
}

/** Says at run time that a name is an old one. Type checkers have no mark for that before Python 3.13. */
function warn(operation: Operation, file: PythonFile): void {
  const { successor } = operation
  if (!successor) return
  const [old, now] = [operation, { ...operation, ...successor }].map(callPath)
  const text = quote(`${old} is deprecated. Use ${now} instead.`)
  file.useModule('warnings')
  file.lines(`warnings.warn(${text}, DeprecationWarning, stacklevel=2)`)
}

function parameters({ path, keywords }: Signature, file: PythonFile): string {
  const optional = ({ type, absent }: Argument) => {
    if (absent === 'None') return `${alternatives([type, 'None'])} = None`
    const either = alternatives([type, file.use('Unset', '_core.unset')])
    return `${either} = ${file.use('UNSET', '_core.unset')}`
  }
  return [
    'self',
    ...path.map(({ name, type }) => `${name}: ${type}`),
    ...(keywords.length > 0 ? ['*'] : []),
    ...keywords.map((one) => `${one.name}: ${one.required ? one.type : optional(one)}`),
    '**options: Unpack[RequestOptions]',
  ].join(', ')
}

function resultText({ page, result }: Operation, { pages }: Twin, scope: Scope): string {
  if (page) return `${scope.file.use(pages, '_core.pages')}[${typeText(page.item, scope)}]`
  const types = result.types.map((type) => typeText(type, scope))
  return alternatives([...types, ...(result.optional || types.length === 0 ? ['None'] : [])])
}

function document(operation: Operation, { path, keywords }: Signature, scope: Scope): void {
  const { file } = scope
  const { id, doc, isPreview } = operation
  const { text, ...notes } = doc
  const preview = isPreview ? PREVIEW : null
  const width = file.width - 4
  const entries = [...path, ...keywords].flatMap((one) => entry(one, width))
  const options = '**options: The options of the call.'
  const more = entries.length > 0 ? ['Args:', ...[...entries, options].map(indent)] : []
  const rest: Doc = { ...notes, text: null }
  const parts = [text, `\`${id}\``, preview, docText(rest)]
  file.doc(parts.filter((part) => part).join('\n\n'), more)
}

function entry({ name, doc, values = [] }: Argument, width: number): string[] {
  const lines = values.flatMap(([value, text]) => hang(`${value}: ${text}`, width - 4))
  return [...argumentLines(name, doc, width), ...lines.map(indent)]
}

/** The call of the client that makes the request. */
function request(operation: Operation, signature: Signature, twin: Twin, scope: Scope): string {
  const { verb, path, page, pathParams, queryParams, headerParams } = operation
  const reader = page ? itemReader(page.item, scope) : resultReader(operation, scope)
  const parts = {
    path_params: values(pathParams),
    query: values(queryParams),
    headers: values(headerParams),
    body: bodyText(signature, scope),
  }
  const inputs = Object.entries(parts).flatMap(([name, value]) => (value ? `${name}=${value}` : []))
  const list = [
    ...(page ? [] : [quote(verb)]),
    quote(path),
    reader ?? [],
    page ? pageModel(operation, scope) : [],
    inputs,
    '**options',
  ]
  const call = `self._client.${page ? 'paginate' : 'request'}(${list.flat().join(', ')})`
  const awaited = page ? call : twin.awaits + call
  if (page || isPrecise(operation, reader, scope)) return awaited
  const result = resultText(operation, twin, scope)
  return result === 'Any'
    ? awaited
    : `${scope.file.use('cast', 'typing')}(${quote(result)}, ${awaited})`
}

/** Whether a type checker infers the result of the reader. It does not see that null passes through. */
function isPrecise({ result }: Operation, reader: string | null, { index }: Scope): boolean {
  return reader !== null && result.types.length < 2 && !result.types.some(holdsNull)

  function holdsNull(type: TypeRef): boolean {
    if (type.kind === 'nullable') return holdsNull(type.of)
    if (type.kind === 'list' || type.kind === 'map') {
      return index.isNullable(type.of) || holdsNull(type.of)
    }
    const decl = type.kind === 'ref' ? index.decl(type.id) : undefined
    return decl?.kind === 'alias' && holdsNull(decl.type)
  }
}

function values(parameters: Operation['pathParams']): string | null {
  if (parameters.length === 0) return null
  return dictionary(parameters.map(({ wire, name }) => [wire, argument(name)]))
}

function bodyText({ body }: Signature, { file }: Scope): string | null {
  // None means null in a body, so an argument that is not given must not remain None.
  const text = ({ name, required, absent }: Argument) =>
    required || absent === 'UNSET' ? name : `${file.use('given', '_core.unset')}(${name})`
  if (!body) return null
  if ('whole' in body) return text(body.whole)
  return dictionary(body.fields.map((one) => [one.wire, text(one)]))
}

function itemReader(item: TypeRef, scope: Scope): string {
  return readerOf(item, scope) ?? scope.file.use('as_is', '_core.model')
}

/** The class of a whole page, which the runtime compares with the response. */
function pageModel({ result }: Operation, scope: Scope): string[] {
  return result.types.flatMap((type) => {
    const model = type.kind === 'ref' ? modelOf(type, scope) : undefined
    return model ? [named(model.id, scope)] : []
  })
}

function resultReader({ result }: Operation, scope: Scope): string | null {
  const [first, ...others] = result.types
  if (!first) return scope.file.use('nothing', '_core.model')
  if (result.format === 'binary') return 'bytes'
  if (result.format === 'text') return 'str'
  if (others.length === 0) {
    // A response that is not an object is refused here; inside a response, such a value passes.
    const model = first.kind === 'ref' ? modelOf(first, scope) : undefined
    return model ? `${named(model.id, scope)}.from_dict` : readerOf(first, scope)
  }
  const untagged = scope.file.use('untagged', '_core.untagged')
  const given = [untagged, ...untaggedArguments(result.types, scope)]
  return `${scope.file.use('partial', 'functools')}(${given.join(', ')})`
}
