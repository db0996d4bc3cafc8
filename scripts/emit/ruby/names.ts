import type { Api } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { product, startMock } from '../core/names.ts'
import { type RubyWriter, rubyFile, signatureFile } from './file.ts'
import { quote } from './literal.ts'

/** What the gem and its base error are called. */
export function emitNames(api: Api, sources: Sources): OutFile[] {
  const { platform } = api
  const doc = `The client of the ${oneLine(platform.title)} API.`
  const library = rubyFile(platform, 'names', sources.names, (file) => write(api, file), { doc })
  return [library, signatures(api, sources)]
}

function write(api: Api, file: RubyWriter): void {
  const { platform } = api
  const error = `${platform.client}Error`
  file.doc(
    'What every error of this gem is, so that one `rescue` tells them from all others. An ' +
      'interrupted call raises no such error but what interrupted it.',
  )
  file.block(`class ${error} < ::StandardError`, () => outcome(api, file), 'end').lines('')
  if (hasAlias(api)) {
    file.doc("The same under the name that Ruby's libraries share.")
    file.lines(`Error = ${error}`, '')
  }
  const names = () => {
    file.doc('The same under a name that no type of the contract can take.').tags(['@api private'])
    file.lines(`Error = ${error}`, '')
    file.doc('What the platform and its packages are called.').tags(['@api private'])
    file.block('module Names', () => constants(api, file), 'end')
  }
  file.block('module Core', names, 'end')
}

/** Many contracts have a schema of this name. */
function hasAlias({ decls }: Api): boolean {
  return !decls.some(({ id }) => id === 'Error')
}

function outcome({ policy }: Api, file: RubyWriter): void {
  file.tags(['@return [Symbol] what is known about the effect of the request']).lines('#')
  const outcomes = Object.entries(policy.errors.outcomes)
  file.bullets(outcomes.map(([name, text]) => `\`:${name}\`: ${text}`))
  file.lines('attr_reader :outcome', '')
  file.tags(['@api private'])
  const assign = () => file.lines('super(message)', '@outcome = outcome')
  file.block('def initialize(message = nil, outcome: :not_sent)', assign, 'end')
}

function constants({ platform }: Api, file: RubyWriter): void {
  const { envPrefix } = platform
  file.doc('The product in the user agent, before the version.')
  file.lines(`USER_AGENT = ${quote(`${product(platform)}-ruby`)}`, '')
  file.doc('The environment variables that stand in for options that are left out.')
  file.lines(`ENV_API_KEY = ${quote(`${envPrefix}_API_KEY`)}`)
  file.lines(`ENV_BASE_URL = ${quote(`${envPrefix}_BASE_URL`)}`, '')
  file.doc('Starts the mock server on this machine.')
  file.lines(`START_MOCK = ${quote(startMock(platform))}`, '')
  file.doc('The environment variable that stands in for that.')
  file.lines(`ENV_MOCK = ${quote(`${envPrefix}_MOCK`)}`)
}

/** With the runtime's errors, because only generated files may name what these are. */
function signatures(api: Api, sources: Sources): OutFile {
  const { platform, policy } = api
  const error = `${platform.client}Error`
  const outcomes = Object.keys(policy.errors.outcomes).map((name) => `:${name}`)
  return signatureFile(platform, 'names', sources.names, (file) => {
    const reader = () => file.lines(`attr_reader outcome: ${outcomes.join(' | ')}`)
    file.block(`class ${error} < ::StandardError`, reader, 'end')
    if (hasAlias(api)) file.lines('', `Error: singleton(${error})`)
    for (const name of ['APIError', 'APIConnectionError', 'InvalidResponseError']) {
      file.lines('', `class ${name} < ${error}`, 'end')
    }
    const alias = () => file.lines(`Error: singleton(${error})`)
    file.lines('').block('module Core', alias, 'end')
  })
}
