/** The tools follow the documents: the contract, any other one, and the control API. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { METHODS } from '../../src/contract/document.ts'
import { type Agent, agent } from './clients.ts'

interface Operation {
  operationId?: string
  'x-tool'?: unknown
}

const CONTRACT = new URL('../../../openapi.yaml', import.meta.url)
const CONTROL = new URL('../../control.yaml', import.meta.url)
const EVOLUTION = new URL('../../../contracts/evolution/', import.meta.url)
const KIT = ['sandbox_settled', 'sandbox_diagnose', 'search_docs']

let open: Agent | undefined
afterEach(() => open?.close())

async function start(...args: string[]): Promise<Agent> {
  open = await agent(args)
  return open
}

function operationsOf(file: URL): Operation[] {
  const { paths } = parseYaml(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []))
}

const idsOf = (file: URL) =>
  operationsOf(file).flatMap((one) => (one['x-tool'] === false ? [] : (one.operationId ?? [])))

async function toolsOf({ client }: Agent) {
  const { tools } = await client.listTools()
  return new Map(tools.map((tool) => [tool.name, tool]))
}

it('has a tool for each operation of the contract and of the control API, and no others', async () => {
  const names = [...(await toolsOf(await start())).keys()]
  const control = idsOf(CONTROL).map((id) => `sandbox_${id}`)
  expect(names.sort()).toEqual([...KIT, ...control, ...idsOf(CONTRACT)].sort())
})

it('leaves out the operations that are for programs', async () => {
  const hidden = operationsOf(CONTROL).filter((one) => one['x-tool'] === false)
  const tools = await toolsOf(await start())
  expect(hidden.length).toBeGreaterThan(0)
  for (const { operationId } of hidden) expect(tools).not.toHaveProperty(`sandbox_${operationId}`)
})

it('describes input in JSON Schema without references', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { inputSchema } of (await toolsOf(await start())).values()) {
    ajv.compile(inputSchema)
    expect(JSON.stringify(inputSchema)).not.toContain('#/components')
  }
})

it('says which tools only read, and which destroy', async () => {
  const tools = await toolsOf(await start())
  const hints = (name: string) => tools.get(name)?.annotations
  expect(hints('sandbox_listDeliveries')).toMatchObject({ readOnlyHint: true })
  expect(hints('sandbox_reset')).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  expect(hints('sandbox_trigger')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(hints('sandbox_clearFaults')).toMatchObject({
    destructiveHint: true,
    idempotentHint: true,
  })
})

it.each(
  readdirSync(EVOLUTION)
    .filter((file) => file.endsWith('.yaml'))
    .slice(-2),
)('follows %s', async (revision) => {
  const file = new URL(revision, EVOLUTION)
  const tools = await toolsOf(await start('--contract', fileURLToPath(file)))
  const api = [...tools.keys()].filter((name) => !/^sandbox_|^search_docs$/.test(name))
  expect(api.sort()).toEqual(idsOf(file).sort())
})

describe('with a contract of another kind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-'))
  const file = join(folder, 'trees.yaml')
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const write = () =>
    writeFileSync(
      file,
      `openapi: 3.1.0
info: { title: Trees, version: "1" }
servers: [{ url: http://localhost/base }]
security: [{ key: [] }]
paths:
  /trees/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    put:
      operationId: search_docs
      parameters: [{ name: id, in: query, schema: { type: array, items: { type: string } } }]
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } } }
      responses: { "200": { description: Done., content: { application/json: { example: { ok: true } } } } }
    get:
      responses: { "200": { description: Done., content: { text/plain: { example: oak } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: x-key } }
  schemas:
    Tree:
      type: object
      properties: { name: { type: string, example: oak }, children: { type: array, items: { $ref: "#/components/schemas/Tree" } } }
`,
    )

  it('names, describes and calls its operations', async () => {
    write()
    const { client, call } = await start('--contract', file)
    const { tools } = await client.listTools()
    const put = tools.find(({ name }) => name === 'put_base_trees_id')
    expect(put?.inputSchema).toMatchObject({
      properties: {
        id: { type: 'string' },
        query_id: { type: 'array' },
        body: { properties: { name: { examples: ['oak'] } } },
      },
      required: ['id'],
      $defs: { components_schemas_Tree: { type: 'object' } },
    })
    const given = { id: 'a/b', query_id: ['x', 'y'], body: { children: [{ name: 'ash' }] } }
    expect(await call('put_base_trees_id', given)).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect(await call('get_base_trees_id', { id: 'a' })).toMatchObject({ status: 200, body: 'oak' })
    const { data } = (await call('sandbox_listRequests')).body
    expect(data.map(({ path }: { path: string }) => path)).toContain('/base/trees/a%2Fb')
  })
})
