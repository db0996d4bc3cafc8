import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../../../scripts/languages.ts'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** How to run a driver. */
export interface Command {
  program: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** Builds the driver of a client with the package in a folder. Resolves to its command. */
export type Prepare = (folder: string, client: string) => Promise<Command>

/** The languages. Each has its faults in `mutations/<language>.yaml`. */
export const PACKAGES: readonly string[] = LANGUAGES.map(({ name }) => name)

/** A client of a package. A language may have several, which behave alike. */
interface Client {
  client: string
  language: string
}

const ALL: readonly Client[] = LANGUAGES.flatMap(({ name, clients }) =>
  Object.keys(clients).map((client) => ({ client, language: name })),
)

export const CLIENTS: readonly string[] = ALL.map(({ client }) => client)

/** @param packages The folder of the packages of all languages. */
export async function prepare(client: string, packages: string): Promise<Command> {
  const language = ALL.find((one) => one.client === client)?.language
  if (language === undefined) throw new Error(`There is no client ${client}.`)
  const driver: { prepare: Prepare } = await import(`../drivers/${language}/prepare.ts`)
  return driver.prepare(join(packages, language), client)
}
