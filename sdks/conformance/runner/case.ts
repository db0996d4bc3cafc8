import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Fields, Value } from './json.ts'
import { CLIENTS } from './languages.ts'
import { readYaml } from './yaml.ts'

export const FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** The response to one request. README.md defines every term. */
export interface ScriptedResponse {
  status?: number
  headers?: Readonly<Record<string, string | readonly string[]>>
  json?: Value
  text?: string
  base64?: string
  repeat?: number
  echo?: boolean
  raw?: string
  length?: number
  cut?: number
  drip?: number
  delay?: number
  then?: 'keep' | 'close' | 'reset'
}

/** An expected request: `GET /v1/x?y=1`, the headers that matter, and the body. */
export interface ExpectedRequest {
  line: string
  headers?: Readonly<Record<string, string | null | { matches: string }>>
  body?: Value
}

export interface Exchange {
  request?: string | ExpectedRequest
  response: ScriptedResponse | 'reset' | 'hang' | 'echo'
}

/** One call of the SDK. */
export interface Call {
  operation: string
  path?: readonly string[]
  params?: Fields
  body?: Value
  options?: Fields
  take?: 'all' | 'page' | 'pages' | 'next' | 'raw' | 'request_id' | number | { list: number | null }
  cancel?: 'waiting' | 'reading' | 'connecting'
}

/** An expected entry of the log: a part of its text, or what the text matches. */
export interface ExpectedEntry {
  level: string
  text: string | { matches: string }
}

export interface Outcome {
  returns?: Value
  raises?: Fields
}

/** A justified difference of one language. */
export interface Difference extends Outcome {
  reason: string
  client?: Fields
  exchanges?: readonly Exchange[]
  waits?: readonly number[]
  logs?: readonly ExpectedEntry[]
  mismatches?: readonly Fields[]
}

export interface Case extends Outcome {
  name: string
  why?: string
  clock?: { now?: string; chance?: number }
  environment?: Readonly<Record<string, string>>
  client?: Fields
  call: Call
  times?: number
  distinct?: readonly string[]
  exchanges: readonly Exchange[]
  waits?: readonly number[]
  logs?: readonly ExpectedEntry[]
  mismatches?: readonly Fields[]
  told?: readonly Fields[]
  differs?: Readonly<Record<string, Difference>>
}

/** Defaults for the cases of a file. */
type Defaults = Partial<Pick<Case, 'clock' | 'client' | 'environment' | 'call'>> &
  Pick<Exchange, 'request'>

/** A case and its location. */
export interface Located extends Case {
  /** Such as `retries/get/a-get-is-retried-after-503`. */
  id: string
  family: string
  file: string
}

const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(
  JSON.parse(readFileSync(join(FOLDER, 'schema.json'), 'utf8')),
)

/** Reports whether the response names its request. */
export function isEcho({ response }: Exchange): boolean {
  return response === 'echo' || (typeof response === 'object' && response.echo === true)
}

/** Returns all cases, by family and file. */
export function loadCases(): Located[] {
  const files = globSync('cases/*/*.yaml', { cwd: FOLDER }).sort()
  const cases = files.flatMap(loadFile)
  const seen = new Set<string>()
  for (const { id, file } of cases) {
    if (seen.has(id)) throw new Error(`${file}: two cases are called ${id}.`)
    seen.add(id)
  }
  return cases
}

function loadFile(file: string): Located[] {
  const content = expanded(readYaml(readFileSync(join(FOLDER, file), 'utf8')))
  if (!validate(plain(content))) {
    const problems = validate.errors?.map(
      ({ instancePath, message }) => `  ${instancePath} ${message}`,
    )
    throw new Error(`${file} does not match schema.json:\n${problems?.join('\n')}`)
  }
  const { cases, defaults = {} } = content as unknown as { cases: Case[]; defaults?: Defaults }
  const [, family = '', topic = ''] = /^cases\/([^/]+)\/(.+)\.yaml$/.exec(file) ?? []
  return cases.map((one) => {
    const whole = withDefaults(one, defaults)
    const [first] = whole.exchanges
    const id = `${family}/${topic}/${slug(one.name)}`
    if (first && first.request === undefined && !isEcho(first)) {
      throw new Error(`${file}: the first exchange of "${one.name}" has no request.`)
    }
    const stranger = Object.keys(one.differs ?? {}).find((name) => !CLIENTS.includes(name))
    if (stranger !== undefined) throw new Error(`${file}: there is no client ${stranger}.`)
    return { ...whole, family, file, id }
  })
}

function withDefaults(one: Case, { request, client, ...defaults }: Defaults): Case {
  const [first, ...rest] = one.exchanges
  const exchanges = first ? [{ ...(request && { request }), ...first }, ...rest] : []
  return { ...defaults, ...one, client: { ...client, ...one.client }, exchanges }
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Expands `$repeat`. */
function expanded(value: Value): Value {
  if (Array.isArray(value)) return value.map(expanded)
  if (typeof value !== 'object' || value === null) return value
  const { $repeat: text, times, after } = value as Fields
  if (typeof text === 'string') return `${after ?? ''}${text.repeat(Number(times))}`
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expanded(item)]))
}

/** Returns plain JSON for the validator. */
function plain(value: Value): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? 0 : item)))
}
