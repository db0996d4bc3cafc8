import { describe, expect, it } from 'vitest'
import { body, filesOf, modelsOf, object, ref } from './compile/go-documents.ts'

describe('types', () => {
  it('breaks a chain of required fields that leads back to its beginning', async () => {
    const models = await modelsOf({
      A: object({ b: ref('B') }, ['b']),
      B: object({ a: ref('A'), list: { type: 'array', items: ref('B') } }, ['a', 'list']),
    })
    expect(models).toMatch(/B \*B\s+`json:"b"`/)
    expect(models).toMatch(/A\s+\*A\s+`json:"a"`/)
    expect(models).toMatch(/List \[\]B\s+`json:"list"`/)
  })

  it('keeps absent, null and a value apart', async () => {
    const nullable = { type: ['string', 'null'] }
    const models = await modelsOf({
      A: object({ may: nullable, must: nullable, some: { type: ['array', 'null'], items: {} } }, [
        'must',
        'some',
      ]),
    })
    expect(models).toMatch(/Must \*string\s+`json:"must"`/)
    expect(models).toMatch(/Some \[\]any\s+`json:"some" nil:"null"`/)
    expect(models).toMatch(/May\s+Optional\[string\]\s+`json:"may,omitzero"`/)
  })

  it('sends no field that only responses hold', async () => {
    const id = { type: 'string', readOnly: true, description: 'Which one.' }
    const sent = body('application/json', object({ id }, ['id']))
    const { models } = await filesOf({ '/as': { post: { operationId: 'createA', ...sent } } })
    expect(models).toContain(
      '// Which one.\n\t//\n\t// Read-only.\n\tID string `json:"id,omitzero" required:"true"`',
    )
  })

  it('puts a wire name that a json tag cannot hold into a separate tag', async () => {
    const models = await modelsOf({ A: object({ 'a, b': { type: 'string' } }) })
    expect(models).toContain('AB *string `json:",omitzero" wire:"a, b"`')
  })

  it('writes an alias that contains itself as a type', async () => {
    const models = await modelsOf({ Tree: { type: 'array', items: ref('Tree') } })
    expect(models).toContain('type Tree []Tree')
  })
})

describe('methods', () => {
  it('can leave out a body that is optional', async () => {
    const list = { type: 'array', items: { type: 'string' } }
    const { services } = await filesOf({
      '/lists': { post: { operationId: 'createList', ...body('application/json', list) } },
      '/texts': { post: { operationId: 'createText', ...body('text/plain', { type: 'string' }) } },
      '/anys': { post: { operationId: 'createAny', ...body('application/json', {}) } },
    })
    expect(services).toContain('body *[]string,')
    expect(services).toContain('body string,')
    expect(services).toContain('body any,')
  })

  it('send JSON under the media type that the document names', async () => {
    const patch = body('application/merge-patch+json', object({}))
    const { contract } = await filesOf({ '/a': { patch: { operationId: 'updateA', ...patch } } })
    expect(contract).toContain('return "application/merge-patch+json", content, err')
  })

  it('return the type of the status where successes differ', async () => {
    const response = (type: string) => ({
      description: '',
      content: { 'application/json': { schema: { type } } },
    })
    const responses = {
      200: response('string'),
      '2XX': response('integer'),
      404: response('string'),
      default: response('integer'),
    }
    const { services, contract } = await filesOf({ '/a': { get: { responses } } })
    expect(services).toContain('// The result is one of string (200) or int64 (2XX).\n')
    expect(services).toContain('(any, error)')
    const table = '200: reflect.TypeFor[string](),\n\t\t\t0:   reflect.TypeFor[int64](),\n\t\t}'
    expect(contract).toContain(table)
  })

  it('send a zero where the parameter is required', async () => {
    const parameters = [
      { name: 'page', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'size', in: 'query', schema: { type: 'integer' } },
    ]
    const responses = { 204: { description: '' } }
    const { models } = await filesOf({ '/a': { get: { parameters, responses } } })
    expect(models).toMatch(/\/\/ Required\.\n\tPage int64 `query:"page" required:"true"`\n/)
    expect(models).toMatch(/Size int64 `query:"size"`/)
  })

  it('start their comment with their name', async () => {
    const operation = (description: string) => ({
      description,
      responses: { 204: { description: '' } },
    })
    const { services } = await filesOf({
      '/as': { get: { operationId: 'getA', ...operation('Reads an A.') } },
      '/bs': { get: { operationId: 'getB', ...operation('This reads a B.') } },
      '/cs': { get: { operationId: 'getC', ...operation('') } },
    })
    expect(services).toContain('// Get reads an A.\n//\n// GET /as\n')
    expect(services).toContain('// Get: This reads a B.\n//\n// GET /bs\n')
    expect(services).toContain('// Get sends GET /cs.\n')
  })
})
