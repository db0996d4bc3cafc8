import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { typeNames } from '../../emit/go/naming.ts'
import type { Api } from '../../model/types.ts'
import type { Fields, Seen } from './seen.ts'

const SCALARS = /^(?:\*|Optional\[)?(?:string|int64|float64|bool)\b/

/** Reads the structs and their tags, by which the runtime encodes and decodes. */
export function read(packages: readonly string[]): Fields[] {
  return packages.map((folder) => fieldsOf(readFileSync(join(folder, 'models.gen.go'), 'utf8')))
}

function fieldsOf(text: string): Fields {
  const fields: Fields = new Map()
  const others = new Map(
    [...text.matchAll(/^type ([\p{L}\w]+)(?: =)? (.*)$/gmu)].map(([, name = '', type = '']) => [
      name,
      type,
    ]),
  )
  for (const [, model = '', body = ''] of text.matchAll(
    /^type ([\p{L}\w]+) struct \{\n(.*?)^\}$/gmsu,
  )) {
    let comment = ''
    for (const line of body.split('\n')) {
      const [, about] = /^\t\/\/ ?(.*)$/.exec(line) ?? []
      const [, name, type = '', tag = ''] =
        /^\t([\p{L}\w]+)\s+(\S.*?)\s+(`.*`|".*")$/u.exec(line) ?? []
      if (about !== undefined) comment += `${about}\n`
      else comment = name === undefined ? '' : comment
      if (name === undefined) continue
      const tags = tagsOf(tag)
      const [json = '', ...options] = (tags.get('json') ?? '').split(',')
      if (json !== '-' && !tags.has('query') && !tags.has('header')) {
        const isLeftOut = options.includes('omitzero')
        const field = seen(type, tags, isLeftOut, comment, others)
        fields.set(`${model}.${tags.get('wire') ?? json}`, field)
      }
      comment = ''
    }
  }
  return fields
}

function seen(
  type: string,
  tags: ReadonlyMap<string, string>,
  isLeftOut: boolean,
  comment: string,
  others: ReadonlyMap<string, string>,
): Seen {
  if (tags.has('const')) return { mayBeAbsent: false, nullable: false, closed: true }
  // A required field that only requests hold is always sent, and zero where it was received.
  const isWritten = /^Write-only\.$/m.test(comment)
  // Requests leave out fields of responses, whether or not responses require them.
  const isRead = /^Read-only\.$/m.test(comment)
  return {
    mayBeAbsent: isWritten || (isRead && isLeftOut) ? null : isLeftOut,
    nullable: isNullable(type, tags, isLeftOut, isRead, others),
    // Only a required constant says so; others have the type of any value.
    closed: SCALARS.test(type) ? null : false,
  }
}

function isNullable(
  type: string,
  tags: ReadonlyMap<string, string>,
  isLeftOut: boolean,
  isRead: boolean,
  others: ReadonlyMap<string, string>,
): boolean | null {
  if (type.startsWith('Optional[') || tags.has('nil')) return true
  const inner = type.replace(/^\*/, '')
  const underlying = resolve(inner, others)
  // Nil is always a value of these.
  if (/^(?:any$|interface|\[\]|map\[)/.test(underlying)) {
    return /^(?:\[\]|map\[)/.test(underlying) && !isLeftOut ? false : null
  }
  if (underlying.startsWith('*')) return true
  if (!type.startsWith('*')) return false
  // An object that holds itself stands behind a pointer as well.
  if (isRead || underlying.startsWith('struct')) return isLeftOut && !isRead ? false : null
  return !isLeftOut
}

function resolve(type: string, others: ReadonlyMap<string, string>): string {
  let resolved = type
  for (let hops = 0; others.has(resolved) && hops < 9; hops++) resolved = others.get(resolved) ?? ''
  return resolved
}

function tagsOf(tag: string): Map<string, string> {
  const text = tag.startsWith('`') ? tag.slice(1, -1) : JSON.parse(tag)
  const pairs: RegExpStringIterator<RegExpExecArray> = text.matchAll(
    /([\w-]+):("(?:[^"\\]|\\.)*")/g,
  )
  return new Map([...pairs].map(([, key = '', value = '""']) => [key, JSON.parse(value)]))
}

export function namer(api: Api): (id: string) => string {
  const names = typeNames(api)
  return (id) => names.get(id) ?? id
}
