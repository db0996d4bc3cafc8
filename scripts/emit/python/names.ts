import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { product, startMock } from '../core/names.ts'
import { PythonFile } from './file.ts'
import { quote } from './literal.ts'

/** What the package and its base error are called. */
export function emitNames({ platform }: Api, sources: Sources): OutFile {
  const summary = 'What the platform and this package are called.'
  const file = new PythonFile('_generated/names.py', sources.names, summary)
  const constants = [
    ['PACKAGE', platform.pypi, 'What this package is called where it is installed from.'],
    [
      'USER_AGENT',
      `${product(platform)}-python`,
      'The product in the user agent, before the version.',
    ],
    ['ENV_API_KEY', `${platform.envPrefix}_API_KEY`, standIn('api_key')],
    ['ENV_BASE_URL', `${platform.envPrefix}_BASE_URL`, standIn('base_url')],
    ['START_MOCK', startMock(platform), 'Starts the mock server on this machine.'],
    ['ENV_MOCK', `${platform.envPrefix}_MOCK`, 'The environment variable that stands in for that.'],
  ] as const
  for (const [name, value, doc] of constants) {
    file
      .lines(`${name} = ${quote(value)}`)
      .doc(doc)
      .lines('')
  }
  return baseError(`${platform.client}Error`, file).finish()
}

function standIn(option: string): string {
  return `The environment variable that stands in for \`${option}\`.`
}

function baseError(name: string, file: PythonFile): PythonFile {
  const outcome = file.use('Outcome', '_generated.policy', 'typing')
  const any = file.use('Any', 'typing')
  const members = () => {
    file.doc(
      'What every error of this package is, so that one `except` tells them from all others.\n\n' +
        'A cancelled call is no such error: it raises what the interpreter or the event loop raises.',
    )
    file.lines('', `outcome: ${outcome}`)
    file.doc('What is known about the effect of the request.').lines('')
    const construct = () => file.lines('super().__init__(message)', 'self.outcome = outcome')
    const options = `message: str, *, outcome: ${outcome} = "not_sent"`
    file.block(`def __init__(self, ${options}) -> None:`, construct, '')
    const message = () => {
      file.doc('What happened, with the request it is about.').lines('return str(self)')
    }
    file.lines('@property').block('def message(self) -> str:', message, '')
    const reduce = () => {
      file.doc('Make errors that can be pickled, whatever their constructors ask for.')
      file.lines('return _restore, (type(self), self.args), self.__dict__')
    }
    file.block(`def __reduce__(self) -> tuple[${any}, ...]:`, reduce, '')
  }
  const restore = () => file.lines('return cls.__new__(cls, *args)')
  return file
    .block(`class ${name}(Exception):`, members, '')
    .block(`def _restore(cls: type[${name}], args: tuple[${any}, ...]) -> ${name}:`, restore, '')
    .lines('', `BaseError = ${name}`)
}
