import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GoFile } from '../emit/go/file.ts'
import { nameClashes } from '../emit/go/index.ts'
import { fieldTag, quote } from '../emit/go/literal.ts'
import { argument, pascal, TAKEN_EVENTS, TAKEN_TYPES, valueNames } from '../emit/go/naming.ts'
import { ROOT } from '../repository.ts'
import { programs } from '../toolchain/languages/go.ts'
import { documentOf, documentWith, modelsOf, object } from './compile/go-documents.ts'
import { modelOf, write } from './support.ts'

const SDK = join(ROOT, 'sdks/go')

const HOSTILE = [
  "it's",
  '\\',
  '"; evil() //',
  '*/ evil() /*',
  '`',
  'a\nb\r\nc',
  '\u2028\u2029\ufeff',
  '\0',
]

describe('text of a contract', () => {
  it('stays the same in string literals and tags', () => {
    const literals = HOSTILE.map((text) => `${quote(text)},`)
    const fields = HOSTILE.map((text, index) => `F${index} int ${fieldTag([['wire', text]])}`)
    const program = `package main

import ("encoding/json"; "os"; "reflect")

type tagged struct {
${fields.join('\n')}
}

func main() {
  texts := []string{
${literals.join('\n')}
  }
  var tags []string
  for i := range texts {
    tags = append(tags, reflect.TypeFor[tagged]().Field(i).Tag.Get("wire"))
  }
  json.NewEncoder(os.Stdout).Encode([][]string{texts, tags})
}`
    const file = write(program, 'main.go')
    expect(JSON.parse(execFileSync(programs.go, ['run', file], { encoding: 'utf8' }))).toEqual([
      HOSTILE,
      HOSTILE,
    ])
  })

  it.each(HOSTILE)('stays inside its comment: %j', (text) => {
    const { content } = new GoFile('a', 'a', 'a').doc(`Says ${text} and continues.`).finish()
    const [, , , , ...lines] = content.trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('//'))).toEqual([])
  })

  it('becomes UTF-8 where it has none', () => {
    expect(quote('\ud800')).toBe('"\\ufffd"')
  })
})

describe('names', () => {
  it.each([
    [['seat', 'id'], 'SeatID'],
    [['user', 'ids'], 'UserIDs'],
    [['URL', 'source'], 'URLSource'],
    [['2', 'fa'], 'X2Fa'],
    [['用'], 'X用'],
    [[], 'Empty'],
  ])('exports the words %j as %s', (name, expected) => {
    expect(pascal(name)).toBe(expected)
  })

  it.each([
    [['ID'], 'id'],
    [['thread', 'id'], 'threadID'],
    [['type'], 'typeValue'],
    [['params'], 'paramsValue'],
    [['list'], 'listValue'],
    [['call'], 'callValueValue'],
    [['2', 'fa'], 'x2Fa'],
  ])('calls an argument of the words %j %s', (name, expected) => {
    expect(argument(name)).toBe(expected)
  })

  it('gives each value of an enum its own name', () => {
    const values = ['handed_off', '+1', '-1', '1.5', '', '*/', 'a', 'A']
    expect(valueNames('X', values)).toEqual([
      'XHandedOff',
      'XPlus1',
      'XMinus1',
      'X1Point5',
      'XEmpty',
      'XValue6',
      'XA',
      'XValue8',
    ])
  })

  it('are taken where the package exports them by itself', () => {
    const sources = readdirSync(SDK).filter((path) => /^\w+\.go$/.test(path) && !/_test/.test(path))
    const exported = sources.flatMap((path) => {
      const text = readFileSync(join(SDK, path), 'utf8')
      return [...text.matchAll(/^(?:func|type|const|var) ([A-Z]\w*)/gm)].map(
        ([, name = '']) => name,
      )
    })
    expect(exported).toContain('InvalidResponseError')
    expect(exported.filter((name) => !TAKEN_TYPES.has(name) && !TAKEN_EVENTS.has(name))).toEqual([])
  })

  it('of types give way to those that the package has itself', async () => {
    const models = await modelsOf({ Page: object({ extra: { type: 'string' } }) })
    expect(models).toContain(
      'type PageModel struct {\n\tExtraField *string `json:"extra,omitzero"`',
    )
  })

  it('that still collide are reported with the fix', async () => {
    const schemas = {
      Author: { type: 'string', enum: ['type', 'name'] },
      AuthorType: object({}),
      Pair: object({ user_id: { type: 'string' }, 'user-id': { type: 'string' } }),
    }
    const clashes = nameClashes(await modelOf(write(JSON.stringify(documentWith(schemas)))))
    expect(clashes.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      '/components/schemas/AuthorType: the Go SDK would have two types or values named AuthorType',
      expect.stringMatching(/Pair.*: the Go SDK would have two fields named UserID$/),
    ])
  })

  it('of arguments and members that collide are reported with the fix', async () => {
    const get = (method: string, ...names: string[]) => ({
      get: {
        'x-sdk-method': method,
        parameters: names.map((name) => ({ name, in: 'path', required: true, schema: {} })),
        responses: { 204: { description: '' } },
      },
    })
    const paths = {
      '/a/{user-id}/{user_id}': get('as.get', 'user-id', 'user_id'),
      '/b': get('do.list'),
      '/c': get('cs.get'),
      '/d': get('cs.get.list'),
    }
    const clashes = nameClashes(await modelOf(write(documentOf(paths), 'openapi.json')))
    expect(clashes.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      '/paths/~1a~1{user-id}~1{user_id}/get: the Go SDK would have two arguments named userID',
      '/paths/~1c/get: the Go SDK would have two members named Get',
      '/paths/~1b/get: the Go SDK would have two members named Do',
    ])
    expect(clashes.every(({ fix }) => fix.includes('x-sdk-'))).toBe(true)
  })
})
