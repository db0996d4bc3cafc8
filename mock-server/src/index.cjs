// For programs that `require` the package; the bundle itself is a module.
const { pathToFileURL } = require('node:url')
const { constants, Script } = require('node:vm')

const url = pathToFileURL(require.resolve('./index.js')).href

/** Some test runners, such as Jest, run programs where `import` does not work: Node.js's own does. */
function loadOutside() {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  return new Script('(url) => import(url)', { importModuleDynamically }).runInThisContext()(url)
}

exports.createMockServer = async (options) => {
  const { createMockServer } = await import(url).catch(loadOutside)
  return createMockServer(options)
}
