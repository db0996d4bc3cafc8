import { successorOf } from '../../model/index.ts'
import type { Api } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { emitClient, exampleCall } from './client.ts'
import { emitContract } from './contract.ts'
import { emitErrors } from './errors.ts'
import { emitEvents } from './events.ts'
import { PythonFile } from './file.ts'
import { formatPython } from './format.ts'
import { quote, tuple } from './literal.ts'
import { emitMocks } from './mocks.ts'
import { emitNames } from './names.ts'
import { RUNTIME } from './naming.ts'
import { compareExports } from './order.ts'
import { emitPolicy } from './policy.ts'
import { emitProblem } from './problem.ts'
import { emitResources } from './resources.ts'
import { emitRouter } from './router.ts'
import { emitStores } from './stores.ts'
import { emitTypes, typesOf } from './types.ts'

export { nameClashes } from './clashes.ts'
export { formatCode, formatPython } from './format.ts'
export { packageFiles } from './package.ts'
export { readmeSlots } from './readme.ts'
export { writeSnippet } from './snippets.ts'

/**
 * All generated files of the Python SDK, from the folder of its package. `names`, `policy`,
 * `contract` and `errors` are the base of the runtime, and import only its leaves; the
 * rest stands on the runtime. Importing the package itself loads none of it.
 */
export function emit(api: Api, sources: Sources): OutFile[] {
  const resources = emitResources(api, sources)
  const files = [
    emitIndex(api, sources),
    emptyModule('_generated', 'The code that is generated from the contract.', sources),
    emitNames(api, sources),
    emitPolicy(api, sources),
    emitErrors(api, sources),
    emitContract(api, sources),
    emitTypes(api, sources),
    emitProblem(api, sources),
    ...emitEvents(api, sources),
    ...(hasEvents(api)
      ? [emitRouter(api, sources), emitStores(api, sources), ...emitMocks(api, sources)]
      : []),
    emptyModule(
      '_generated/resources',
      'The operations of the API, one module per resource.',
      sources,
    ),
    ...resources,
    emitClient(api, sources),
  ]
  const folder = `src/${api.platform.pythonImport}`
  return formatPython(files.map((file) => ({ ...file, path: `${folder}/${file.path}` })))
}

function emptyModule(folder: string, summary: string, sources: Sources): OutFile {
  return new PythonFile(`${folder}/__init__.py`, sources.contract, summary).finish()
}

/** The public names of the package, which load on first use. */
function emitIndex(api: Api, sources: Sources): OutFile {
  const example = exampleCall(api)
  const summary = [
    `The Python client of the ${api.platform.title} API.`,
    ...(example.length > 0 ? [example.join('\n')] : []),
    'Names are imported on first use, so that webhooks work without an HTTP client.',
  ]
  const file = new PythonFile('__init__.py', sources.contract, summary.join('\n\n'))
  file.use('import_module', 'importlib')
  file.use('__version__', '_version')
  const modules = Object.entries(publicNames(api)).filter(([, names]) => names.length > 0)
  for (const [module, names] of modules) for (const name of names) file.use(name, module, 'typing')

  const names = ['__version__', ...modules.flatMap(([, names]) => names)].sort(compareExports)
  const list = () => file.lines(...names.map((name) => `${quote(name)},`))
  file.block('__all__ = [', list, ']').lines('')
  const rows = () => {
    for (const [module, names] of modules) {
      file.lines(`${quote(module)}: ${tuple([...names].sort(compareExports).map(quote))},`)
    }
  }
  file.block('_MODULES = {', rows, '}')
  const old = oldNames(api)
  if (old.length > 0) {
    file.use('warn', 'warnings')
    const pairs = () => {
      for (const [name, now] of old) file.lines(`${quote(name)}: ${quote(now)},`)
    }
    file.block('_DEPRECATED = {', pairs, '}')
  }
  return file.lines(...loading(old.length > 0)).finish()
}

/** The old names of types, and the new ones. */
function oldNames(api: Api): Array<[old: string, now: string]> {
  return typesOf(api).flatMap((decl): Array<[string, string]> => {
    const now = successorOf(decl)
    return now === null ? [] : [[decl.id, now]]
  })
}

/** Names by the module that has them. */
function publicNames(api: Api): Record<string, readonly string[]> {
  const { client } = api.platform
  return {
    ...RUNTIME,
    '_generated.client': [`Async${client}`, client],
    '_generated.errors': api.policy.errors.classes.map(({ name }) => name),
    '_generated.names': [`${client}Error`],
    '_generated.policy': ['LogLevel', 'Outcome'],
    '_generated.types': typesOf(api).map(({ id }) => id),
  }
}

function loading(hasOldNames: boolean): string[] {
  const warning = [
    '    if name in _DEPRECATED:',
    '        text = f"{name} is deprecated. Use {_DEPRECATED[name]} instead."',
    '        warn(text, DeprecationWarning, stacklevel=2)',
    '        return value',
  ]
  return [
    '_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}',
    '',
    '',
    'def __getattr__(name: str) -> object:',
    '    if name not in _MODULE_OF:',
    '        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")',
    '    value: object = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)',
    ...(hasOldNames ? warning : []),
    '    globals()[name] = value',
    '    return value',
    '',
    '',
    'def __dir__() -> list[str]:',
    '    return __all__',
  ]
}
