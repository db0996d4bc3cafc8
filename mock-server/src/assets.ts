/** The files that the build puts beside the code. The paths hold from `src` and from `dist`. */
const dist = new URL('../dist/', import.meta.url)

/** The default contract and its prepared operations. */
export const CONTRACT = new URL('openapi.yaml', dist)
export const OPERATIONS = new URL('operations.json', dist)
/** The program that renders the API reference in a browser. */
export const REFERENCE = new URL('reference.js', dist)
/** The style and the scripts of the dashboard. */
export const DASHBOARD = new URL('dashboard/', dist)
/** The prepared operations of `control.yaml`. */
export const CONTROL = new URL('control.json', dist)
/** The migrations of the store. */
export const MIGRATIONS = new URL('migrations/', dist)
/** The schema of seed files. */
export const SEED_SCHEMA = new URL('../seed.schema.json', import.meta.url)
/** The schema of scenarios. */
export const SCENARIO_SCHEMA = new URL('../scenario.schema.json', import.meta.url)
/** The package's own description. */
export const PACKAGE = new URL('../package.json', import.meta.url)
