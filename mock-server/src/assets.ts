import { readFileSync } from 'node:fs'

/** The files that the build puts beside the code. The paths hold from `src` and from `dist`. */
const dist = new URL('../dist/', import.meta.url)

/** The default contract as it was written, and prepared. */
export const CONTRACT = new URL('openapi.yaml', dist)
export const PREPARED = new URL('contract.json', dist)
/** The default contract with a program in each language for each operation. */
export const SAMPLES = new URL('reference.json', dist)
/** The program that renders the API reference in a browser. */
export const REFERENCE = new URL('reference.js', dist)
/** The thread that checks a contract. */
export const CHECKER = new URL('checker.js', dist)
/** The style and the scripts of the dashboard. */
export const DASHBOARD = new URL('dashboard/', dist)
/** The prepared `control.yaml`. */
export const CONTROL = new URL('control.json', dist)
/** The prepared `admin.yaml`. */
export const ADMIN = new URL('admin.json', dist)
/** The control API and the schemas below without what the contract says. */
export const TEMPLATES = new URL('templates.json', dist)
/** What a comparison of two contracts needs beside them. */
export const COMPARISON = new URL('comparison.json', dist)
/** The API as the SDKs have it, for programs that repeat a request. */
export const PROGRAMS = new URL('programs.json', dist)
/** The guides, READMEs and examples. */
export const DOCS = new URL('docs.json', dist)
/** The migrations of the stores. */
export const SQLITE_MIGRATIONS = new URL('migrations/sqlite/', dist)
export const POSTGRES_MIGRATIONS = new URL('migrations/postgres/', dist)
/** The documentation site; it is there once it was built. */
export const SITE = new URL('../site/', import.meta.url)
/** The schema of seed files. */
export const SEED_SCHEMA = new URL('../seed.schema.json', import.meta.url)
/** The schema of scenarios. */
export const SCENARIO_SCHEMA = new URL('../scenario.schema.json', import.meta.url)
/** The package's own description. */
export const PACKAGE = new URL('../package.json', import.meta.url)

export function packageVersion(): string {
  return JSON.parse(readFileSync(PACKAGE, 'utf8')).version
}
