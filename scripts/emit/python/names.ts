import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { installMock, product, startMock } from '../core/names.ts'
import { PythonFile } from './file.ts'
import { quote } from './literal.ts'

/** The names of the package and of its base error. */
export function emitNames({ platform }: Api, sources: Sources): OutFile {
  const summary = 'The names of the platform and of this package.'
  const file = new PythonFile('_generated/names.py', sources.names, summary)
  const constants = [
    ['PACKAGE', platform.pypi, 'The name of this package in package registries.'],
    [
      'USER_AGENT',
      `${product(platform)}-python`,
      'The product in the user agent, before the version.',
    ],
    ['ENV_API_KEY', `${platform.envPrefix}_API_KEY`, standIn('api_key')],
    ['ENV_BASE_URL', `${platform.envPrefix}_BASE_URL`, standIn('base_url')],
    ['ENV_LOG', `${platform.envPrefix}_LOG`, standIn('log_level')],
    ['START_MOCK', startMock(platform), 'The command that starts the mock server on this machine.'],
    ['INSTALL_MOCK', installMock(platform), 'The command that installs its package.'],
    [
      'ENV_MOCK',
      `${platform.envPrefix}_MOCK`,
      'The environment variable that replaces that command.',
    ],
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
  return `The environment variable that \`${option}\` defaults to.`
}

function baseError(name: string, file: PythonFile): PythonFile {
  const outcome = file.use('Outcome', '_generated.policy')
  const any = file.use('Any', 'typing')
  const members = () => {
    file.doc(
      'The base class of every error that this package raises.\n\n' +
        'A cancelled call raises what the interpreter or the event loop raises instead.',
    )
    file.lines('', `outcome: ${outcome} | None`)
    file
      .doc('Whether the request may have taken effect. None for an error without a request.')
      .lines('')
    const construct = () => file.lines('super().__init__(message)', 'self.outcome = outcome')
    const options = `message: str, *, outcome: ${outcome} | None = "not_sent"`
    file.block(`def __init__(self, ${options}) -> None:`, construct, '')
    const message = () => {
      file.doc('What happened, and in which request.').lines('return str(self)')
    }
    file.lines('@property').block('def message(self) -> str:', message, '')
    const reduce = () => {
      file.doc('Support pickling for any constructor.')
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
