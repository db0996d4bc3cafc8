import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { FOLDER } from '../runner/case.ts'
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
