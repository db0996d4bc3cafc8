import { describe, expect, it } from 'vitest'
import { formatProblem, readYaml, type YamlOptions } from '../yaml/index.ts'
import { write } from './support.ts'

const SCHEMA = {
  type: 'object',
  required: ['steps'],
  properties: {
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          wait: { type: 'string', pattern: '^P', examples: ['PT24H'] },
          at: { type: 'string', format: 'date-time' },
          as: { type: 'string', pattern: '^[a-z]+$', 'x-must-be': 'one word, like parcel' },
          kind: { enum: ['one', 'two'] },
        },
        additionalProperties: false,
      },
    },
  },
}

async function problemsOf(text: string, options?: YamlOptions): Promise<string[]> {
  const file = write(text, 'steps.yaml')
  const { value, problems } = await readYaml(file, SCHEMA, options)
  expect(value === null).toBe(problems.length > 0)
  return problems.map((problem) => formatProblem(problem).replace(file, 'steps.yaml'))
}

describe('a file that people write', () => {
  it('is read where it fits its schema, and gives the location of all that it holds', async () => {
    const file = write('steps:\n  - wait: PT1H\n  - { kind: one }\n', 'steps.yaml')
    const { value, problems, locate } = await readYaml(file, SCHEMA)
    expect({ value, problems }).toEqual({
      value: { steps: [{ wait: 'PT1H' }, { kind: 'one' }] },
      problems: [],
    })
    expect(locate('/steps/0/wait')).toEqual({ file, line: 2, column: 5 })
    expect(locate('/steps/1')).toEqual({ file, line: 3, column: 5 })
  })

  it.each([
    ['', '1:1: the file must be object. Write it as object.'],
    ['steps: [', /^steps.yaml:\d+:\d+: the file cannot be read: .*\. Name a readable YAML or JSON/],
    ['{}', "1:1: the file must have required property 'steps'. Add `steps`."],
    ['steps: {}', '1:1: steps must be array. Write it as array.'],
    [
      'steps:\n  - wiat: PT1H',
      '2:5: steps.0.wiat is unknown. Remove it, or use one of: wait, at, as, kind.',
    ],
    ['steps:\n  - wait: 1h', '2:5: steps.0.wait is malformed. Write it like PT24H.'],
    [
      'steps:\n  - at: now',
      '2:5: steps.0.at must match format "date-time". Write the time as "2026-03-02T09:14:07Z".',
    ],
    [
      'steps:\n  - as: A',
      '2:5: steps.0.as must be one word, like parcel (now "A"). Correct the file.',
    ],
    [
      'steps:\n  - kind: six',
      '2:5: steps.0.kind must be equal to one of the allowed values. Use one of: one, two.',
    ],
  ])('%j is refused at its location, with a cure', async (text, expected) => {
    const [problem, ...others] = await problemsOf(text)
    expect(others).toEqual([])
    if (expected instanceof RegExp) expect(problem).toMatch(expected)
    else expect(problem).toBe(`steps.yaml:${expected}`)
  })

  it('has all its problems in one run', async () => {
    expect(await problemsOf('steps:\n  - wait: 1h\n  - kind: six\n')).toHaveLength(2)
  })

  it('that is missing is a problem as well', async () => {
    const { problems } = await readYaml('/nowhere/steps.yaml', SCHEMA)
    expect(problems.map(formatProblem)).toEqual([
      expect.stringMatching(/^\/nowhere\/steps.yaml:1:1: the file cannot be read: /),
    ])
  })

  it('can be called by other names and pointed at by its values', async () => {
    const options: YamlOptions = {
      nameOf: (pointer) => `Step ${pointer.split('/')[2]}`,
      pointAt: 'value',
      advice: 'See the schema',
    }
    expect(await problemsOf('steps:\n  - as: A', options)).toEqual([
      'steps.yaml:2:9: Step 0 must be one word, like parcel (now "A"). See the schema.',
    ])
  })
})
