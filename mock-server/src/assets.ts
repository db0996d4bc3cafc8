/** Where the files are that the build puts beside the code; true from `src` and from `dist`. */
const dist = new URL('../dist/', import.meta.url)

/** The contract that is served unless another one is named. */
export const CONTRACT = new URL('openapi.yaml', dist)
/** The program that renders the API reference in a browser. */
export const REFERENCE = new URL('reference.js', dist)
/** The package's own description. */
export const PACKAGE = new URL('../package.json', import.meta.url)
