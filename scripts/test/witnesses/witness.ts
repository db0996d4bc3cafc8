import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'

export const WITNESSES = fileURLToPath(new URL('../../changes/witnesses', import.meta.url))

/** The names of the packages that the programs use. */
export const NAMES = join(WITNESSES, 'names.yaml')

/** The versions of a contract. */
export const VERSIONS = ['before', 'after'] as const
export type Version = (typeof VERSIONS)[number]

/** A change, and a program of a user in each language that is right before it. */
export interface Witness {
  kind: string
  /** Where the programs are, as `caller.<extension>`. */
  folder: string
  documents: Record<Version, Document>
  /** Whether the programs handle events. The others call the service. */
  handlesEvents: boolean
  /** Whether what the service receives belongs to the result of the programs. */
  observesRequests: boolean
  /** Whether the programs have an API key. */
  hasKey: boolean
  /** Whether the programs call what is deprecated already, so that they get warnings. */
  isDeprecated: boolean
  /** Which requests get another example than the first. */
  rules: Rule[]
}

/** A request with a value in its query, or with a header, gets one of the examples by its name. */
export interface Rule {
  version: Version
  query?: Record<string, string | string[]>
  header?: string
  example: string
}

/** An OpenAPI document. */
export type Document = Record<string, unknown>

/** What every bundle has. */
export const BASE = readDocument(join(WITNESSES, 'base.yaml'))

/** @param root The folder with a folder for each kind. */
export function readWitnesses(root = WITNESSES): Witness[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readWitness(root, name))
}

function readWitness(root: string, kind: string): Witness {
  const folder = join(root, kind)
  const read = (version: Version): Document => readDocument(join(folder, `${version}.yaml`))
  const settings = join(folder, 'witness.yaml')
  const given = existsSync(settings) ? readDocument(settings) : {}
  const { observes, service = [], key = true, deprecated = false } = given
  return {
    kind,
    folder,
    documents: { before: read('before'), after: read('after') },
    handlesEvents: /^def handle\b/m.test(readFileSync(join(folder, 'caller.rb'), 'utf8')),
    observesRequests: observes === 'requests',
    hasKey: key === true,
    isDeprecated: deprecated === true,
    rules: service as Rule[],
  }
}

function readDocument(file: string): Document {
  return parseYaml(readFileSync(file, 'utf8')) as Document
}

/** The program of a language, null where the language has none. */
export function callerOf({ folder }: Witness, extension: string): string | null {
  const file = join(folder, `caller.${extension}`)
  return existsSync(file) ? file : null
}
