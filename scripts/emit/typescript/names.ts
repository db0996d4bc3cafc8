import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { product, startMock } from '../core/names.ts'
import { TypeScriptFile } from './file.ts'
import { quote } from './literal.ts'

/** The names of the package and of its base error. */
export function emitNames({ platform }: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/names.ts', sources.names)
  file.use('Outcome', 'generated/policy')
  const error = `${platform.client}Error`

  file.doc('The name of this package in its registry.')
  file.lines(`export const PACKAGE = ${quote(platform.npm)}`, '')
  file.doc('The product in the user agent.')
  file.lines(`export const USER_AGENT = ${quote(`${product(platform)}-typescript`)}`, '')
  file.doc('The environment variables for options that are left out.')
  file.lines(`export const ENV_API_KEY = ${quote(`${platform.envPrefix}_API_KEY`)}`)
  file.lines(`export const ENV_BASE_URL = ${quote(`${platform.envPrefix}_BASE_URL`)}`)
  file.lines(`export const ENV_LOG = ${quote(`${platform.envPrefix}_LOG`)}`, '')
  file.doc('Starts the mock server on this machine.')
  file.lines(`export const START_MOCK = ${quote(startMock(platform))}`, '')
  file.doc('The base class of every error of this package.')
  const members = () => {
    file.doc('Whether the request may have had an effect. Undefined where there is no request.')
    file.lines('readonly outcome: Outcome | undefined', '')
    const construct = () => {
      file.lines('super(message, options)')
      file.lines('if (options.outcome) this.outcome = options.outcome')
    }
    const type = '{ outcome?: Outcome; cause?: unknown }'
    const options = `options: ${type} = { outcome: 'not_sent' }`
    file.block(`constructor(message: string, ${options}) {`, construct, '}').lines('')
    file.block('override get name(): string {', () => file.lines(`return ${quote(error)}`), '}')
  }
  file.block(`export class ${error} extends Error {`, members, '}')
  return file.lines('', `export { ${error} as BaseError }`).finish()
}
