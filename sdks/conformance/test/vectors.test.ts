import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { FOLDER } from '../runner/case.ts'
import { receivers, statuses } from '../webhooks/receivers.ts'
import { vectors } from '../webhooks/vectors.ts'

const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, 'webhooks', name), 'utf8'))

it('vectors.json is up to date', () => {
  expect(read('vectors.json')).toEqual(JSON.parse(JSON.stringify(vectors)))
})

it('there are enough valid vectors with unique ids', () => {
  const validate = new Ajv2020().compile(read('schema.json'))
  expect(validate(vectors), JSON.stringify(validate.errors?.[0])).toBe(true)
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length)
  expect(vectors.length).toBeGreaterThanOrEqual(200)
})

it('receivers.json is up to date, with unique ids', () => {
  const cases = JSON.parse(JSON.stringify(receivers))
  expect(read('receivers.json')).toEqual({ statuses, cases })
  expect(new Set(receivers.map(({ id }) => id)).size).toBe(receivers.length)
})

it('every result of a vector has a status', () => {
  const results = new Set(vectors.map(({ result }) => result))
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining([...results]))
})
