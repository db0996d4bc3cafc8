import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { FOLDER } from '../runner/case.ts'
import { answers, receivers } from '../webhooks/receivers.ts'
import { vectors } from '../webhooks/vectors.ts'

const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, 'webhooks', name), 'utf8'))

it('the file holds what the script makes', () => {
  expect(read('vectors.json')).toEqual(JSON.parse(JSON.stringify(vectors)))
})

it('there are enough vectors, each once, as the schema has them', () => {
  const validate = new Ajv2020().compile(read('schema.json'))
  expect(validate(vectors), JSON.stringify(validate.errors?.[0])).toBe(true)
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length)
  expect(vectors.length).toBeGreaterThanOrEqual(200)
})

it('the file of receivers holds what the script makes, each case once', () => {
  const cases = JSON.parse(JSON.stringify(receivers))
  expect(read('receivers.json')).toEqual({ answers, cases })
  expect(new Set(receivers.map(({ id }) => id)).size).toBe(receivers.length)
})

it('every result of a vector has an answer', () => {
  const results = new Set(vectors.map(({ result }) => result))
  expect(Object.keys(answers)).toEqual(expect.arrayContaining([...results]))
})
