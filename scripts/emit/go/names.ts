import type { Api, Platform } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { product, startMock } from '../core/names.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'

/** The names of the package, its user agent and its environment variables. */
export function emitNames({ platform }: Api, sources: Sources): OutFile {
  const file = new GoFile('names', sources.names, platform.goPackage)

  const constants = () => {
    file.doc('packageName is the prefix of every error text.')
    file.lines(`packageName = ${quote(platform.goPackage)}`)
    file.doc('userAgentProduct is the product in the user agent, before the version.')
    file.lines(`userAgentProduct = ${quote(`${product(platform)}-go`)}`, '')
    file.doc('The environment variables for options that were not given.')
    file.lines(`envAPIKey = ${quote(`${platform.envPrefix}_API_KEY`)}`)
    file.lines(`envBaseURL = ${quote(`${platform.envPrefix}_BASE_URL`)}`)
    file.lines(`envLog = ${quote(`${platform.envPrefix}_LOG`)}`, '')
    writeStartMock(platform, file)
  }
  return file.block('const (', constants, ')').finish()
}

/** How to start the mock server, as a constant of a package. */
export function writeStartMock(platform: Platform, file: GoFile): void {
  file.doc('startMock starts the mock server on this machine.')
  file.lines(`startMock = ${quote(startMock(platform))}`)
}
