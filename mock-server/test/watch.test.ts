/** `serve --watch`: a running server follows edits of its contract, and keeps its state. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands, control } from './command.ts'
import { FIELD_EDITS } from './edited/fields.ts'
import { edited, type Node } from './edited/tools.ts'
import { WIRE_EDITS } from './edited/wire.ts'
import { AUTH } from './support.ts'

let commands: Commands
let file: string
beforeEach(() => {
  commands = new Commands()
  file = join(commands.folder, 'openapi.json')
})
afterEach(() => commands.close())

function documentOf(name: string): Node {
  const edit = [...FIELD_EDITS, ...WIRE_EDITS].find((one) => one.name === name)
  if (!edit) throw new Error(`there is no edit ${name}`)
  return edited(edit)
}

const written = (document: Node) => JSON.stringify(document, null, 2)
const save = (name: string) => writeFileSync(file, written(documentOf(name)))

async function watching(args: readonly string[] = []) {
  const run = await commands.serve(['--contract', file, '--watch', '--memory', ...args])
  const get = (path: string) => fetch(run.url + path, { headers: AUTH })
  const json = async (path: string): Promise<Node> => (await get(path)).json()
  const lines = () => run.stderr().split('\n').slice(0, -1)
  const reloads = () => lines().filter((line) => line.startsWith('Reloaded ')).length
  return {
    ...run,
    get,
    json,
    lines,
    reloaded: (times = 1) => expect.poll(reloads).toBe(times),
  }
}

describe('serve --watch', () => {
  it('serves a new operation and a new kind everywhere, and keeps the state', async () => {
    save('nothing')
    const { url, get, json, lines, reloaded } = await watching(['--strict'])
    const { id } = await (await control(url, 'conversations', { text: 'Hello?' })).json()
    const { id: endpoint } = await (
      await control(url, 'endpoints', { url: 'http://[::1]:1/' })
    ).json()
    await control(url, 'clock', { advance: 'PT1H' })
    const before = await json('/_mock/deliveries')
    expect((await get('/v1/teams/1')).status).toBe(404)

    save('a new endpoint')
    await reloaded()
    expect(await json('/v1/teams/1')).toEqual({ name: 'Support' })
    expect((await json(`/v1/conversations/${id}`)).transcript[0].text).toBe('Hello?')
    expect((await json('/_mock/endpoints')).data.map((one: Node) => one.id)).toEqual([endpoint])
    expect(await json('/_mock/deliveries')).toEqual(before)
    expect(await (await get('/openapi.yaml')).text()).toContain('/v1/teams/{team}')
    expect(await (await get('/dashboard/contract')).text()).toContain('/v1/teams/{team}')

    save('a new kind of event')
    await reloaded(2)
    expect((await get('/v1/teams/1')).status).toBe(404)
    const sent = await control(url, 'trigger', { kind: 'conversation.assigned' })
    expect((await sent.json()).event).toBe('conversation.assigned')
    expect(lines()).toEqual([`Reloaded ${file}.`, `Reloaded ${file}.`])
  })

  it('gives stored data the form of the new contract, and says what it cannot serve', async () => {
    save('nothing')
    const { json, lines, reloaded } = await watching()
    save('a renamed field')
    await reloaded()
    const { transcript } = await json('/v1/conversations/conv_01J2Z7Q4KX')
    expect(transcript[0].body).toBe('Do you ship to Norway?')
    save('a removed endpoint')
    await reloaded(2)
    expect(lines().at(-1)).toBe(
      `Reloaded ${file}. The sandbox does not serve: GET /v1/conversations/{id} is not in the contract; POST /v1/knowledge/sources is not in the contract.`,
    )
  })

  it('serves the old contract while the new one has problems', async () => {
    save('a new endpoint')
    const { child, exit, json, lines, reloaded } = await watching()
    const document = documentOf('nothing')
    document.paths['/v1/broken'] = { get: { responses: { 200: { $ref: '#/missing' } } } }
    writeFileSync(file, written(document))
    await expect.poll(lines).not.toEqual([])
    expect(await json('/v1/teams/1')).toEqual({ name: 'Support' })
    writeFileSync(file, '{ "openapi": ')
    await expect.poll(() => lines().length).toBeGreaterThan(1)
    save('a new endpoint')
    await reloaded()
    const [reload, ...problems] = lines().toReversed()
    expect(reload).toBe(`Reloaded ${file}.`)
    for (const line of problems) expect(line).toMatch(/openapi\.json:\d+:\d+: .+\. .+\.$/)
    child.kill('SIGINT')
    expect(await exit).toBe(0)
  })

  it('lets a request that is under way finish with the contract that it started with', async () => {
    save('nothing')
    const { url, json, reloaded } = await watching()
    const slow = fetch(`${url}/v1/conversations/conv_01J2Z7Q4KX`, {
      headers: { ...AUTH, 'x-mock-fault': 'delay=6s' },
    })
    // By now the server has the first request, since it handles them in order.
    await json('/_mock/endpoints')
    save('a renamed field')
    await reloaded()
    expect((await json('/v1/conversations/conv_01J2Z7Q4KX')).transcript[0]).toHaveProperty('body')
    expect((await (await slow).json()).transcript[0]).toHaveProperty('text')
  })

  it('follows files of references, renames, bursts and files that are gone for a moment', async () => {
    const part = join(commands.folder, 'parts/team.yaml')
    mkdirSync(join(commands.folder, 'parts'))
    const team = (name: string) =>
      `get:\n  operationId: getTeam\n  security: []\n  responses:\n    '200':\n      description: A team.\n      content: { application/json: { schema: { type: object }, example: { name: ${name} } } }\n`
    writeFileSync(part, team('First'))
    const document = documentOf('nothing')
    document.paths['/v1/team'] = { $ref: './parts/team.yaml' }
    writeFileSync(file, written(document))
    const { json, lines, reloaded } = await watching()
    const served = () => expect.poll(async () => (await json('/v1/team')).name)
    expect(await json('/v1/team')).toEqual({ name: 'First' })

    writeFileSync(`${part}~`, team('Renamed'))
    renameSync(`${part}~`, part)
    await served().toBe('Renamed')
    await reloaded()
    for (let edit = 0; edit <= 20; edit++) writeFileSync(part, team(`Edit${edit}`))
    await served().toBe('Edit20')
    rmSync(part)
    // A few looks of the server at its files.
    await new Promise((resolve) => setTimeout(resolve, 300))
    writeFileSync(part, team('Back'))
    await served().toBe('Back')
    expect(lines().filter((line) => !line.startsWith('Reloaded '))).toEqual([])

    // Gone for good is a problem, and so is a new reference to a file that does not exist yet.
    rmSync(part)
    await expect.poll(() => lines().at(-1)).toMatch(/openapi\.json:\d+:\d+: /)
    expect(await json('/v1/team')).toEqual({ name: 'Back' })
    writeFileSync(part, team('Again'))
    await served().toBe('Again')
  })

  it('validates by a schema with the same $id in every version of the contract', async () => {
    const document = documentOf('nothing')
    document.paths['/v1/team'] = {
      post: {
        operationId: 'createTeam',
        security: [],
        requestBody: {
          content: {
            'application/json': {
              schema: { $id: 'https://example.com/team', type: 'object', required: ['name'] },
            },
          },
        },
        responses: { 204: { description: 'Created.' } },
      },
    }
    writeFileSync(file, written(document))
    const { url, reloaded } = await watching()
    const create = async () => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}/v1/team`, { method: 'POST', headers, body: '{"a":1}' })
      return response.status
    }
    expect(await create()).toBe(422)
    document.info.version = '2'
    writeFileSync(file, written(document))
    await reloaded()
    expect(await create()).toBe(422)
  })

  it('needs a file to watch', async () => {
    const { code, stdout, stderr } = await commands.run(['serve', '--watch', '--memory'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--watch has nothing to watch')
  })
})
