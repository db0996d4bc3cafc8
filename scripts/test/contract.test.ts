// This repository's own contract: it states what is published, marks what is assumed, and shows
// examples that an independent validator accepts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { coverageOf } from '../contract/coverage.ts'
import { isObject, type Json, object, pointerOf, sortedEntries, walk } from '../contract/json.ts'
import { loadContract } from '../contract/load.ts'
import { ROOT } from '../repository.ts'
import { formatProblem, readYaml } from '../yaml/index.ts'

let document: Json = {}

beforeAll(async () => {
  const { contract, problems } = await loadContract(join(ROOT, 'openapi.yaml'), { strict: true })
  expect(problems.map(formatProblem)).toEqual([])
  document = contract?.document ?? {}
})

describe('published and assumed shapes', () => {
  let described: string[] = []

  beforeAll(async () => {
    const file = join(ROOT, 'scripts/contract/described.yaml')
    const sections = { type: 'object', additionalProperties: { type: 'string', minLength: 1 } }
    const { value, problems } = await readYaml<Json>(file, sections)
    expect(problems).toEqual([])
    described = Object.keys(value ?? {})
  })

  it('everything is assumed or described', () => {
    expect(coverageOf(document, described).unlisted).toEqual([])
  })

  it('nothing is both', () => {
    expect(coverageOf(document, described).twice).toEqual([])
  })

  it('nothing is described that is not there', () => {
    expect(coverageOf(document, described).unknown).toEqual([])
  })

  it('the page of assumptions lists exactly the marks', () => {
    const marks: string[] = []
    walk(document, (node, path, names) => {
      if (!names && 'x-assumed' in node) marks.push(pointerOf(path))
    })
    const page = readFileSync(join(ROOT, 'docs/assumptions.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1])

    expect(listed).toEqual(marks.sort())
    expect(listed.length).toBeGreaterThan(20)
  })
})

describe('coverage', () => {
  const contract = {
    paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/A' } } } } },
    components: { responses: { A: { headers: { B: { schema: { type: 'string' } } } } } },
  }
  const leaf = '/components/responses/A/headers/B/schema/type'
  const rest = ['/paths/~1a', '/paths/~1a/get', '/paths/~1a/get/responses/200/$ref']

  it('names a value that is neither assumed nor described', () => {
    expect(coverageOf(contract, rest).unlisted).toEqual([leaf])
  })

  it('covers everything beneath a pointer with /**, and only the leaf of a plain one', () => {
    expect(coverageOf(contract, [...rest, '/components/**']).unlisted).toEqual([])
    expect(coverageOf(contract, [...rest, '/components']).unlisted).toEqual([leaf])
  })

  it('names entries that are described twice or that do not exist', () => {
    const { A } = contract.components.responses
    const assumed = {
      ...contract,
      components: { responses: { A: { ...A, 'x-assumed': 'Not published.' } } },
    }
    expect(coverageOf(assumed, [...rest, leaf]).twice).toEqual([leaf])
    expect(coverageOf(contract, [...rest, leaf, '/gone', '/gone/**']).unknown).toEqual([
      '/gone',
      '/gone/**',
    ])
  })

  it('takes a reference to an assumption for covered', () => {
    const A = { ...contract.components.responses.A, 'x-assumed': 'Not published.' }
    const assumed = { ...contract, components: { responses: { A } } }
    expect(coverageOf(assumed, ['/paths/~1a', '/paths/~1a/get']).unlisted).toEqual([])
  })
})

describe('examples', () => {
  it('stand at every body of every request, response and event', () => {
    const bodies = mediaTypes(document)
    expect(bodies.length).toBeGreaterThan(20)
    expect(bodies.filter(({ examples }) => examples.length === 0)).toEqual([])
  })

  it('stand at every parameter and header', () => {
    const missing: string[] = []
    const { components } = document
    for (const section of ['parameters', 'headers']) {
      for (const [name, node] of sortedEntries(object(components)[section])) {
        if (!('example' in object(node))) missing.push(`${section}/${name}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
    addFormats.default(ajv, { mode: 'full' })
    ajv.addSchema({ $id: 'contract', ...document })
    const wrong = [...mediaTypes(document), ...schemaExamples(document)].flatMap(
      ({ pointer, examples }) => {
        const validate = ajv.compile({ $ref: `contract#${encodeURI(pointer)}` })
        return examples
          .filter((example) => !validate(example))
          .map(() => `${pointer}: ${ajv.errorsText(validate.errors)}`)
      },
    )
    expect(wrong).toEqual([])
  })

  it('would be found wrong', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv, { mode: 'full' })
    ajv.addSchema({ $id: 'contract', ...document })
    const validate = ajv.compile({ $ref: 'contract#/components/schemas/Message' })
    expect(validate({ id: 'msg_1', created_at: 'yesterday' })).toBe(false)
  })
})

interface Shown {
  /** Of the schema. */
  pointer: string
  examples: unknown[]
}

/** The bodies of requests, responses and events. */
function mediaTypes(root: Json): Shown[] {
  const found: Shown[] = []
  walk(root, (node, path, names) => {
    if (names || path.at(-2) !== 'content' || !isObject(node)) return
    const named = sortedEntries(node.examples).map(([, example]) => object(example).value)
    const examples = 'example' in node ? [node.example, ...named] : named
    found.push({ pointer: `${pointerOf(path)}/schema`, examples })
  })
  return found
}

/** Examples that schemas, parameters and headers carry themselves. */
function schemaExamples(root: Json): Shown[] {
  const found: Shown[] = []
  walk(root, (node, path, names) => {
    if (names || !isObject(node)) return
    if (Array.isArray(node.examples)) {
      found.push({ pointer: pointerOf(path), examples: node.examples })
    }
    if ('example' in node && isObject(node.schema)) {
      found.push({ pointer: `${pointerOf(path)}/schema`, examples: [node.example] })
    }
  })
  return found
}
