import type { Api, Platform } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { product, startMock } from '../core/names.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'

/** What the package and its base error are called. */
export function emitNames({ platform }: Api, sources: Sources): OutFile {
  const file = new GoFile('names', sources.names, platform.goPackage)
  const error = `${platform.client}Error`

  const constants = () => {
    file.doc('packageName begins the text of every error.')
    file.lines(`packageName = ${quote(platform.goPackage)}`)
    file.doc('userAgentProduct is the product in the user agent, before the version.')
    file.lines(`userAgentProduct = ${quote(`${product(platform)}-go`)}`, '')
    file.doc('The environment variables that stand in for options that are left out.')
    file.lines(`envAPIKey = ${quote(`${platform.envPrefix}_API_KEY`)}`)
    file.lines(`envBaseURL = ${quote(`${platform.envPrefix}_BASE_URL`)}`, '')
    writeStartMock(platform, file)
  }
  file.block('const (', constants, ')').lines('')

  file.doc(
    `${error} is what [errors.As] finds in every error of this package. On its own it is an option ` +
      "or a request that cannot be used. The error of a context that ended is the context's own.",
  )
  const fields = () => {
    file.lines('Message string')
    file.doc('Outcome is what is known about the effect of the request.')
    file.lines('Outcome Outcome', 'cause error')
  }
  file.block(`type ${error} struct {`, fields, '}')
  file.lines('', `type baseError = ${error}`, '')
  file.doc('Error returns the message.')
  file.lines(`func (e *${error}) Error() string { return packageName + ": " + e.Message }`, '')
  file.doc('Unwrap returns what led to the error, or nil.')
  return file.lines(`func (e *${error}) Unwrap() error { return e.cause }`).finish()
}

/** How to start the mock server, as a constant of a package. */
export function writeStartMock(platform: Platform, file: GoFile): void {
  file.doc('startMock starts the mock server on this machine.')
  file.lines(`startMock = ${quote(startMock(platform))}`)
}
