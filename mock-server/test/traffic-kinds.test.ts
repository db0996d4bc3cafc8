/** Every kind of change that breaks a program that stays, or a receiver, is found in traffic that shows it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Change, LANGUAGES } from '@support-chat/scripts/changes'
import { afterAll, describe, expect, it } from 'vitest'
import { type Bundle, bundle } from '../../scripts/test/witnesses/bundle.ts'
import { readWitnesses } from '../../scripts/test/witnesses/witness.ts'
import { type Described, type Description, object } from '../src/contract/document.ts'
import { createMockServer, type MockServer } from '../src/index.ts'
import { checkTraffic } from '../src/integration/traffic.ts'
import { upgradeBetween } from '../src/integration/upgrade.ts'

const folder = mkdtempSync(join(tmpdir(), 'traffic-kinds-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How values are chosen: everything that is optional or not, the first or the last of several. */
type Choice = 'first' | 'last' | 'required'

describe.each(bundle(readWitnesses()).map((one, index) => [index, one] as const))(
  'the changes of bundle %i',
  (index, { documents, witnesses }: Bundle) => {
    it('are found', async () => {
      const files = (['before', 'after'] as const).map((version) => {
        const file = join(folder, `${index}-${version}.json`)
        writeFileSync(file, JSON.stringify(documents[version]))
        return file
      })
      const [before = '', after = ''] = files
      const upgrade = await upgradeBetween(before, after)
      const record = join(folder, `${index}.har`)
      const endpoint = { url: 'http://127.0.0.1:9/' }
      const mock = await createMockServer({ contract: before, record, webhooks: [endpoint] })
      const { description } = upgrade.before.contract
      for (const operation of description.operations) await callIn(mock, description, operation)
      for (const kind of description.kinds) await mock.trigger(kind)
      await mock.deliveries()
      await mock.close()

      const { hits, calls, events, unknown, unreadable } = await checkTraffic(upgrade, record)
      expect({ unknown, unreadable }).toEqual({ unknown: [], unreadable: [] })
      expect(calls).toBeGreaterThan(0)
      expect(events).toBe(description.kinds.length)
      const kinds = new Set(witnesses.map(({ kind }) => kind))
      const due = upgrade.changes.filter(({ change }) => kinds.has(change.kind) && isFelt(change))
      const missed = due.filter(({ change }) => !hits.has(change.fingerprint))
      expect(missed.map(({ change }) => change.kind)).toEqual([])
      // What nobody feels who stays is no finding.
      const felt = new Set(upgrade.changes.filter(({ change }) => isFelt(change)).map(keyOf))
      expect([...hits.keys()].filter((one) => !felt.has(one))).toEqual([])
    })
  },
)

const keyOf = ({ change }: { change: Change }) => change.fingerprint

function isFelt({ effects }: Change): boolean {
  const all = LANGUAGES.flatMap((language) => [effects[language].stay, effects[language].receive])
  return all.some((effect) => effect !== null && effect !== 'none')
}

async function callIn(mock: MockServer, description: Description, operation: Described) {
  const { method, path, parameters, body, responses, idempotencyHeader } = operation
  for (const choice of ['first', 'last', 'required'] as const) {
    for (const { code } of responses) {
      const query = new URLSearchParams()
      const headers: Record<string, string> = { authorization: 'Bearer k', 'x-api-key': 'k' }
      if (/^\d+$/.test(code)) headers.prefer = `code=${code}`
      if (idempotencyHeader && choice !== 'required') headers[idempotencyHeader] = 'one'
      let target = path
      for (const parameter of parameters) {
        const value = String(parameter.example ?? sample(description, parameter.schema, choice))
        if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, value)
        else if (choice === 'required' && !isNeeded(description, operation, parameter.name))
          continue
        else if (parameter.in === 'query') query.set(parameter.name, value)
        else headers[parameter.name] = value
      }
      const sent = body && (choice !== 'required' || isNeeded(description, operation, null))
      if (sent) headers['content-type'] = body.mediaType
      const response = await mock.fetch(`${target}?${query}`, {
        method,
        headers,
        ...(sent && { body: JSON.stringify(sample(description, body.schema, choice)) }),
      })
      await response.arrayBuffer()
    }
  }
}

/** Whether the document requires a parameter, or the body for null. */
function isNeeded(description: Description, { method, path }: Described, name: string | null) {
  const operation = object(object(object(description.document.paths)[path])[method.toLowerCase()])
  if (name === null) return description.resolve(operation.requestBody).required === true
  const all = (operation.parameters ?? []) as unknown[]
  return all.some((one) => {
    const parameter = description.resolve(one)
    return parameter.name === name && parameter.required === true
  })
}

/** A valid value of a schema. */
function sample(description: Description, node: unknown, choice: Choice): unknown {
  const schema = description.resolve(node)
  const pick = (all: unknown[]) => all.at(choice === 'last' ? -1 : 0)
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const variants = schema[keyword]
    if (Array.isArray(variants)) return sample(description, pick(variants), choice)
  }
  if (Array.isArray(schema.allOf)) {
    return Object.assign({}, ...schema.allOf.map((one) => sample(description, one, choice)))
  }
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return pick(schema.enum)
  const type = pick([schema.type].flat())
  if (type === 'array') return [sample(description, schema.items, choice)]
  if (type === 'object' || schema.properties) return sampleObject(description, schema, choice)
  if (type === 'integer' || type === 'number') return Math.min(50, Number(schema.maximum ?? 50))
  if (type === 'boolean') return true
  if (type === 'null') return null
  return schema.format === 'date-time' ? '2026-03-02T09:21:48Z' : 'ab'
}

function sampleObject(description: Description, schema: Record<string, unknown>, choice: Choice) {
  const needed = (schema.required ?? []) as string[]
  const fields = Object.entries(object(schema.properties)).filter(
    ([name]) => choice !== 'required' || needed.includes(name),
  )
  const further = schema.additionalProperties
  const extra = typeof further === 'object' ? [['extra', further] as const] : []
  return Object.fromEntries(
    [...fields, ...extra].map(([name, value]) => [name, sample(description, value, choice)]),
  )
}
