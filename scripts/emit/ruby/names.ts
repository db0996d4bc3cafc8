import type { Api } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { installMock, product, startMock } from '../core/names.ts'
import { type RubyWriter, rubyFile, signatureFile } from './file.ts'
import { quote } from './literal.ts'
import { signature } from './signature.ts'

/** The names of the gem and of its base error. */
export function emitNames(api: Api, sources: Sources): OutFile[] {
  const { platform } = api
  const doc = `The client of the ${oneLine(platform.title)} API.`
  const library = rubyFile(platform, 'names', sources.names, (file) => write(api, file), { doc })
  return [library, signatures(api, sources)]
}

function write(api: Api, file: RubyWriter): void {
  const error = baseError(api)
  file.doc(
    'The base class of every error that this gem raises. A call that is interrupted raises what ' +
      'interrupted it instead, see {AbortedCall}.',
  )
  file.block(`class ${error} < ::StandardError`, () => outcome(api, file), 'end').lines('')
  const names = () => {
    file.doc('The base error under a name that no schema can take.').tags(['@api private'])
    file.lines(`Error = ::${api.platform.rubyModule}::${error}`, '')
    file.doc('The names of the platform and of its packages.').tags(['@api private'])
    file.block('module Names', () => constants(api, file), 'end')
  }
  file.block('module Core', names, 'end')
}

/** The base error: `Error`, unless a schema of the contract has that name, as many do. */
export function baseError({ decls, platform }: Api): string {
  return decls.some(({ id }) => id === 'Error') ? `${platform.client}Error` : 'Error'
}

function outcome({ policy }: Api, file: RubyWriter): void {
  file.tags(['@return [Symbol, nil] whether the request may have taken effect']).lines('#')
  const outcomes = Object.entries(policy.errors.outcomes)
  file.bullets([
    ...outcomes.map(([name, text]) => `\`:${name}\`: ${text}`),
    'nil: There was no request of ours, but a delivery that was refused.',
  ])
  file.lines('attr_reader :outcome', '')
  file.tags(['@api private'])
  const assign = () => file.lines('super(message)', '@outcome = outcome')
  file.block('def initialize(message = nil, outcome: :not_sent)', assign, 'end')
}

function constants({ platform }: Api, file: RubyWriter): void {
  const { envPrefix } = platform
  file.doc('The product in the user agent, before the version.')
  file.lines(`USER_AGENT = ${quote(`${product(platform)}-ruby`)}`, '')
  file.doc('The environment variables that options default to.')
  file.lines(`ENV_API_KEY = ${quote(`${envPrefix}_API_KEY`)}`)
  file.lines(`ENV_BASE_URL = ${quote(`${envPrefix}_BASE_URL`)}`)
  file.lines(`ENV_LOG = ${quote(`${envPrefix}_LOG`)}`, '')
  file.doc('The command that starts the mock server on this machine.')
  file.lines(`START_MOCK = ${quote(startMock(platform))}`, '')
  file.doc('The command that installs its package.')
  file.lines(`INSTALL_MOCK = ${quote(installMock(platform))}`, '')
  file.doc('The environment variable that replaces that command.')
  file.lines(`ENV_MOCK = ${quote(`${envPrefix}_MOCK`)}`)
}

/** With the runtime's errors, because only generated files may name what these are. */
function signatures(api: Api, sources: Sources): OutFile {
  const { platform, policy } = api
  const error = baseError(api)
  const outcomes = Object.keys(policy.errors.outcomes).map((name) => `:${name}`)
  return signatureFile(platform, 'names', sources.names, (file) => {
    // A webhook that is refused has no outcome.
    const type = [...outcomes, 'nil'].join(' | ')
    const members = () => {
      file.lines(`attr_reader outcome: ${type}`, '')
      const parameters = ['?::String? message', `?outcome: ${type}`]
      signature('initialize', [{ parameters, result: 'void' }], file)
    }
    file.block(`class ${error} < ::StandardError`, members, 'end')
    for (const name of ['APIError', 'APIConnectionError', 'InvalidResponseError']) {
      file.lines('', `class ${name} < ${error}`, 'end')
    }
    const alias = () => file.lines(`Error: singleton(${error})`)
    file.lines('').block('module Core', alias, 'end')
  })
}
