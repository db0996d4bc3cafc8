// The mocks and fixtures of the SDKs follow the contract: what comes with an operation is no change of its own.
import { expect, it } from 'vitest'
import { changesOf, kinds, md } from './changes/surfaces.ts'

/** What the SDKs declare for tests, as the contract has more addresses. */
function surfaces(...more: string[]) {
  const isMore = more.length > 0
  const quoted = (mark: string) => ['GET /v1/things', ...more].map((id) => mark + id + mark)
  const members = (...lines: string[]) => lines.map((line) => `    ${line}\n`).join('')
  const mocks = [
    'things: {',
    '    list: MockedOperation<Thing, never>;',
    '};',
    ...(isMore ? ['parts: {', '    get: MockedOperation<Part, "id">;', '};'] : []),
  ]
  const factories = ['thing: Factory<Thing>;', ...(isMore ? ['part: Factory<Part>;'] : [])]
  const fixtures = [
    'def self.thing: () -> A::Thing',
    ...(isMore ? ['def self.part: () -> A::Part'] : []),
  ]
  return {
    typescript: md(
      `export const mock: {\n${members(...mocks)}};`,
      `export const fixtures: {\n${members(...factories)}};`,
    ),
    python: `type a.testing.OperationID = Literal[${quoted("'").join(', ')}]\n`,
    ruby: `module A::Testing::Fixtures\n${members(...fixtures)}end\n\ntype A::Testing::operation = ${quoted('"').join(' | ')}\n`,
    go: `pkg atest, func ThingFixture() a.Thing\n${isMore ? 'pkg atest, func PartFixture() a.Part\n' : ''}`,
  }
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** A contract with one more address, whose response has a type of its own. */
const GROWN = {
  document: {
    paths: {
      '/v1/parts/{id}': {
        get: {
          operationId: 'getPart',
          summary: 'Get a part',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'Done.', ...json({ $ref: '#/components/schemas/Part' }) },
          },
        },
      },
    },
    components: { schemas: { Part: { type: 'object', properties: { id: { type: 'string' } } } } },
  },
}

const ADDED = surfaces('GET /v1/parts/{id}')

async function byHand(after: typeof ADDED): Promise<string[]> {
  const changes = await changesOf({ surfaces: surfaces() }, { contract: GROWN, surfaces: after })
  expect(changes.map(({ kind }) => kind)).toContain('operation-added')
  return kinds(changes.filter(({ provenance }) => provenance === 'generator')).sort()
}

it('are left out where the contract explains them', async () => {
  expect(await byHand(ADDED)).toEqual([])
})

it('are said where they change beside it', async () => {
  const edited = {
    typescript: ADDED.typescript.replace('<Thing, never>', '<Thing, "id">'),
    python: ADDED.python.replace("'GET /v1/things'", "'GET /things'"),
    ruby: ADDED.ruby.replace('thing: ()', 'thing: (Integer)'),
    go: ADDED.go.replace('ThingFixture()', 'ThingFixture(int)'),
  }
  expect(await byHand(edited)).toEqual([
    'sdk-symbol-changed Go: `atest.ThingFixture` is declared in another way.',
    'sdk-symbol-changed Python: `a.testing.OperationID` is declared in another way.',
    'sdk-symbol-changed Ruby: `A::Testing::Fixtures.thing` is declared in another way.',
    'sdk-symbol-changed TypeScript: `mock` is declared in another way.',
  ])
})
