/** Where the files are that the build puts beside the code; true from `src` and from `dist`. */
const dist = new URL('../dist/', import.meta.url)

/** The contract that is served unless another one is named; and its operations, made ready. */
export const CONTRACT = new URL('openapi.yaml', dist)
export const OPERATIONS = new URL('operations.json', dist)
/** The program that renders the API reference in a browser. */
export const REFERENCE = new URL('reference.js', dist)
/** What the pages about the sandbox need: their style and scripts. */
export const DASHBOARD = new URL('dashboard/', dist)
/** The operations of `control.yaml`, made ready. */
export const CONTROL = new URL('control.json', dist)
/** The steps that bring a store's file up to date. */
export const MIGRATIONS = new URL('migrations/', dist)
/** What a seed file may hold. */
export const SEED_SCHEMA = new URL('../seed.schema.json', import.meta.url)
/** What a scenario may hold. */
export const SCENARIO_SCHEMA = new URL('../scenario.schema.json', import.meta.url)
/** The package's own description. */
export const PACKAGE = new URL('../package.json', import.meta.url)
