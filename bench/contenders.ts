// The servers that mock.ts compares. Those that read no contract, or not its examples, are given what our
// own responses from it, in a file.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, calls, loopback, Server, serve } from './servers.ts'

const here = import.meta.dirname
const contract = join(here, '../openapi.yaml')
const prism = join(here, 'node_modules/@stoplight/prism-cli/dist/index.js')
const mockoon = join(here, 'node_modules/@mockoon/cli/bin/run.js')
const bare = join(here, 'bare.mjs')

export const names = ['sandbox', 'stateless', 'prism', 'mockoon', 'bare'] as const
export type Name = (typeof names)[number]

type Bodies = Record<keyof typeof calls, string>

/** How each of them is started. */
export async function contenders(): Promise<Record<Name, Command>> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-mock-'))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  const file = (name: string, content: object) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const bodies = await examples()
  const environment = file('mockoon.json', environmentOf(bodies))
  const texts = file('bare.json', bodies)
  return {
    sandbox: serve('--memory'),
    stateless: serve('--stateless'),
    prism: (port) => [prism, 'mock', '-v', 'error', '-h', loopback, '-p', port, contract],
    mockoon: (port) => [
      ...[mockoon, 'start', '--data', environment, '--repair', '--disable-log-to-file'],
      ...['--disable-admin-api', '--hostname', loopback, '--port', port],
    ],
    bare: (port) => [bare, port, texts],
  }
}

/** The body of the contract's example for each call. */
async function examples(): Promise<Bodies> {
  const server = await Server.start(serve('--stateless'))
  try {
    const [list, get, POST] = await Promise.all([
      server.ask(calls.list),
      server.ask(calls.get),
      server.ask(calls.POST),
    ])
    return { list, get, POST }
  } finally {
    await server.stop()
  }
}

/** What Mockoon serves, as far as it cannot supply it by itself with `--repair`. */
function environmentOf(bodies: Bodies): object {
  const headers = [{ key: 'content-type', value: 'application/json' }]
  const routes = Object.entries(calls).map(([name, { method, path }]) => {
    const [statusCode, body] = [method === 'POST' ? 201 : 200, bodies[name as keyof Bodies]]
    const response = { default: true, disableTemplating: true, statusCode, headers, body }
    const endpoint = path.slice(1).replace(/conv_\w+/, ':id')
    return { type: 'http', method: method.toLowerCase(), endpoint, responses: [response] }
  })
  return { name: 'bench', routes }
}
