/** A document of many operations, each with its own types, like large real ones. */
export function syntheticDocument(operations: number): object {
  const numbers = Array.from({ length: operations }, (_, index) => index)
  return {
    openapi: '3.1.0',
    info: { title: 'Synthetic', version: '1' },
    paths: Object.fromEntries(numbers.map((index) => [`/v1/things${index}/{id}`, item(index)])),
    components: { schemas: Object.assign({}, ...numbers.map(schemas)) },
  }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

function item(index: number): object {
  return {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    post: {
      description: `Makes thing ${index}. ${'It describes in detail what it does. '.repeat(20)}`,
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'order', in: 'query', schema: { type: 'string', enum: ['up', 'down'] } },
      ],
      requestBody: { required: true, ...json(ref(`Thing${index}`)) },
      responses: { 200: { description: 'Made.', ...json(ref(`Thing${index}`)) } },
    },
  }
}

function schemas(index: number): object {
  const fields = Array.from({ length: 20 }, (_, field) => [
    `field_${field}`,
    { type: 'string', description: `What field ${field} of thing ${index} is there for.` },
  ])
  const inline = Array.from({ length: 4 }, (_, field) => [
    `inline_${field}`,
    { type: 'array', items: { type: 'object', properties: Object.fromEntries(fields) } },
  ])
  return {
    [`Thing${index}`]: {
      type: 'object',
      description: 'A thing.',
      required: ['field_0'],
      properties: {
        ...Object.fromEntries([...fields, ...inline]),
        previous: ref(`Thing${Math.max(0, index - 1)}`),
        kind: { oneOf: [ref(`Thing${index}`), { type: 'null' }] },
        state: { type: 'string', enum: ['new', 'old', `special_${index}`] },
      },
    },
  }
}
