/** What `serve` prints when it has started: for a person, and for a program. */
import { resolve } from 'node:path'
import type { Described, Description } from '../contract/document.ts'
import type { Contract, Operation } from '../contract/load.ts'
import { DEFAULT_KEY } from '../control/key.ts'
import type { Server } from '../server.ts'

export interface Started {
  contract?: readonly string[]
  stateless?: true
  hosted?: true
  memory?: true
  dataDir?: string
}

export const DATA_DIR = '.support-chat-mock'

/** What a program needs to know about a server that has started. */
export function listening(
  server: Server,
  { contract: files, hosted, memory, dataDir = DATA_DIR }: Started,
) {
  const { url } = server
  const services = server.services()
  const { sandboxes } = services[0] ?? {}
  return {
    event: 'listening',
    url,
    port: Number(new URL(url).port),
    key: sandboxes && !hosted ? DEFAULT_KEY : null,
    data: sandboxes && !memory && !hosted ? resolve(dataDir) : null,
    contracts: services.map(({ name, contract }, index) => {
      const { title = '', version = '' } = infoOf(contract)
      return { name, title, version, file: files?.[index] ?? null }
    }),
  }
}

function infoOf({ description }: Contract): { title?: string; version?: string } {
  return (description.document as { info?: object }).info ?? {}
}

/** How to go on. */
export function hints(
  server: Server,
  { stateless, hosted, memory, dataDir = DATA_DIR, contract }: Started,
): string {
  const { url } = server
  if (hosted) return HOSTED
  const { operations } = server.contract
  const calls = callsOf(server.contract.description, (described, body) => {
    const operation = operations.find(
      ({ method, prism }) => method === described.method && prism.path === described.path,
    )
    const [scheme] = operation?.security[0] ?? []
    const json = body === undefined ? '' : `--json '${body}' `
    return `curl ${credentialsFor(scheme)}${json}'${url}${operation?.basePath ?? ''}${pathOf(described)}'`
  })
  const kind = server.contract.description.kinds[0] ?? ''
  const events = `
Receive events, and send one:
  npx support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks --url ${url}
  npx support-chat-mock trigger ${kind} --url ${url}

Dashboard:     ${url}/
Data:          ${memory ? 'in memory, lost when the server stops' : resolve(dataDir)}`
  return `${calls}${stateless || kind === '' ? '' : events}${revisionsOf(server, contract)}
API reference: ${url}/docs
Contract:      ${url}/openapi.yaml
Stop with Ctrl+C. --log-level info logs every request.
`
}

const HOSTED = `
Issue a key:
  npx support-chat-mock keys issue 'Shop of Ada Moreau' --url PUBLIC_URL

Sign-up, dashboard, API reference and contract are at the public URL. Monitoring: /_mock/health
Stop with Ctrl+C. --log-level info logs every request.
`

/** The revisions to choose from, where there are several. */
function revisionsOf(server: Server, files: readonly string[] = []): string {
  const services = server.services()
  if (services.length === 1) return ''
  const width = Math.max(...services.map(({ name }) => name.length))
  const lines = services.map(({ name }, index) => `  ${name.padEnd(width)}  ${files[index]}\n`)
  return `

Choose a revision with the header x-mock-revision. The default is the first:
${lines.join('')}`
}

/** Calls to try: what the contract has first of each sort. */
function callsOf(
  { operations }: Description,
  curl: (operation: Described, body?: string) => string,
) {
  const isOne = ({ path }: Described) => path.includes('{')
  const found = [
    operations.find((one) => one.method === 'GET' && !isOne(one)),
    operations.find((one) => one.method === 'GET' && isOne(one)),
    operations.find((one) => one.method === 'POST' && one.body !== undefined),
  ].filter((one) => one !== undefined)
  const lines = found.map((one) => {
    const body = one.body && JSON.stringify(one.body.examples[0] ?? {})
    return `  ${curl(one, body)}\n`
  })
  const [first] = found
  const error = first?.responses.find(({ code }) => /^[45]\d\d$/.test(code))
  return `
Call the API:
${lines.join('')}${
  first && error
    ? `
Request an error that the contract declares:
  ${curl(first).replace('curl', `curl -i -H 'prefer: code=${error.code}'`)}
`
    : ''
}`
}

/** The options of curl that meet a security scheme; none where it takes more than a header. */
function credentialsFor(scheme: Operation['security'][number][number] | undefined): string {
  if (scheme?.type === 'apiKey') {
    return scheme.in === 'header' ? `-H '${scheme.name}: sk_test_demo' ` : ''
  }
  if (scheme?.type === 'http' && scheme.scheme.toLowerCase() === 'basic') return '-u demo:demo '
  return scheme ? "-H 'authorization: Bearer sk_test_demo' " : ''
}

/** The path of an operation with the examples of its parameters. */
function pathOf({ path, parameters }: Described): string {
  return path.replace(/\{([^}]*)\}/g, (_, name) => {
    const { example = '1' } = parameters.find((one) => one.name === name) ?? {}
    return encodeURIComponent(String(example))
  })
}
