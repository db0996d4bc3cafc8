/** The runner of Prism's own tests, over scenarios of ours. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { differences } from '../harness/compare.ts'
import { judge, readExpected, strangers } from '../harness/expected.ts'
import { play } from '../harness/play.ts'
import { type Answer, readAnswer, readScenario, type Scenario, words } from '../harness/scenario.ts'
import { readSpecs } from '../harness/specs.ts'

const TEA = `====test====
A tea is served.
====spec====
openapi: 3.0.3
info: { title: Tea, version: '1' }
paths:
  /teas/{name}:
    get:
      parameters:
        - { name: name, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: A tea.
          content: { application/json: { example: { name: Assam, minutes: 4 } } }
====server====
mock -p 4010 \${document}
====command====
curl -i http://localhost:4010/teas/assam -H "accept: application/json"
====expect====
HTTP/1.1 200 OK
content-type: application/json; charset=utf-8
x-request-id: any

{"name":"Assam","minutes":4}
`
const tea = readScenario('tea.txt', TEA)
const partsOf = (found: Partial<Answer>, compared: Scenario['compared'] = 'body') =>
  differences({ ...tea, compared }, { ...tea.expected, ...found }).map(({ part }) => part)

describe("the runner of Prism's scenarios", () => {
  it('reads a scenario', () => {
    expect(tea).toMatchObject({
      sort: 'OpenAPI 3',
      options: [],
      call: ['-i', 'http://localhost:4010/teas/assam', '-H', 'accept: application/json'],
      expected: { status: 200, headers: { 'x-request-id': 'any' } },
      compared: 'body',
    })
  })

  it.each([
    ['proxy', TEA.replace('mock -p', 'proxy -p')],
    ['Swagger 2', TEA.replace('openapi: 3.0.3', "swagger: '2.0'")],
    ['Postman', TEA.replace('openapi: 3.0.3', 'item: []')],
  ])('counts %s apart', (sort, text) => {
    expect(readScenario('one.txt', text).sort).toBe(sort)
  })

  it('runs nothing but curl', () => {
    expect(() => readScenario('one.txt', TEA.replace('curl', 'rm'))).toThrow('calls rm, not curl')
  })

  it('splits a command line as a shell does', () => {
    expect(words(String.raw`a 'b "c"' "d \"e\" $f"g \? h=''`)).toEqual([
      'a',
      'b "c"',
      'd "e" $fg',
      '?',
      'h=',
    ])
  })

  it('takes the last response that curl prints', () => {
    const text = 'HTTP/1.1 302 Found\r\nlocation: /a\r\n\r\nHTTP/1.1 204 No Content\r\nA: b\r\n\r\n'
    expect(readAnswer(text)).toEqual({ status: 204, headers: { a: 'b' }, body: '' })
  })

  it('compares the status, the media type, the presence of headers and the body', () => {
    expect(partsOf({})).toEqual([])
    expect(partsOf({ status: 201 })).toEqual(['status'])
    expect(partsOf({ headers: { 'content-type': 'text/plain', 'x-request-id': 'other' } })).toEqual(
      ['content-type'],
    )
    expect(partsOf({ headers: { 'content-type': 'application/json' } })).toEqual(['x-request-id'])
    expect(partsOf({ body: '{"minutes":4,"name":"Assam"}' })).toEqual(['body'])
  })

  it('compares only the shape or the members of a loose body', () => {
    expect(partsOf({ body: '{"minutes":1,"name":"Ceylon","more":[]}' }, 'shape')).toEqual([])
    expect(partsOf({ body: '{"minutes":"1","name":"Ceylon"}' }, 'shape')).toEqual(['body'])
    expect(partsOf({ body: '{"name":"Ceylon"}' }, 'shape')).toEqual(['body'])
    expect(partsOf({ body: '{"name":1,"minutes":""}' }, 'members')).toEqual([])
    expect(partsOf({ body: '{"minutes":4,"name":""}' }, 'members')).toEqual(['body'])
    const xml = (body: string) => ({ ...tea, expected: { ...tea.expected, body } })
    const found = { ...tea.expected, body: '<tea><b>2</b><a>1</a></tea>' }
    expect(differences(xml('<tea><a>x</a><b>y</b></tea>'), found)).toEqual([])
    expect(differences(xml('<tea><a>x</a></tea>'), found)).toHaveLength(1)
  })

  it('plays a scenario against the mock server', async () => {
    expect(await play(tea)).toEqual([])
    const wrong = readScenario('tea.txt', TEA.replace('200 OK', '201 Created'))
    expect(await play(wrong)).toEqual([{ part: 'status', expected: '201', found: '200' }])
  })

  it("plays a scenario with Prism's options", async () => {
    const text = TEA.replace('mock -p', 'mock -d -p').replace(
      'example: { name: Assam, minutes: 4 }',
      'schema: { type: object, properties: { minutes: { type: integer } } }',
    )
    const dynamic = readScenario('tea.txt', text.replace('"name":"Assam",', ''))
    expect(await play({ ...dynamic, compared: 'shape' })).toEqual([])
  })

  it('says why the server does not start', async () => {
    const found = await play({ ...tea, options: ['--brew'] })
    expect(found).toMatchObject([{ part: 'start', found: expect.stringContaining('--brew') }])
  })

  it('counts what is identical, what is listed and what is neither', () => {
    const expected = readExpected('[{ why: A reason., parts: [body], scenarios: [b.txt, c.txt] }]')
    const body = { part: 'body', expected: '1', found: '2' }
    const results = [
      { scenario: { ...tea, name: 'a.txt' }, differences: [] },
      { scenario: { ...tea, name: 'b.txt' }, differences: [body] },
      { scenario: { ...tea, name: 'c.txt' }, differences: [] },
      { scenario: { ...tea, name: 'd.txt' }, differences: [body] },
    ]
    expect(judge(results, expected)).toEqual({
      counts: ['OpenAPI 3: 4 scenarios, 2 identical, 1 differ as listed, 1 differ otherwise'],
      surprises: [
        'c.txt: body is listed, but does not differ',
        'd.txt: body differs\n  expected: 1\n  found:    2',
      ],
    })
  })

  it('names what is listed and is no scenario', () => {
    const expected = readExpected(
      '[{ why: A reason., parts: [body], scenarios: [tea.txt, b.txt] }]',
    )
    expect(strangers(expected, [tea])).toEqual(['b.txt: is listed, but is no scenario'])
  })

  it('refuses scenarios that are not those of the pinned commit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'specs-'))
    writeFileSync(join(folder, 'tea.txt'), TEA)
    await expect(readSpecs(folder)).rejects.toThrow('not the scenarios of commit')
    rmSync(folder, { recursive: true })
  })
})
