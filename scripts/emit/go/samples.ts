import type { Api, Signature } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { escaped } from '../core/literal.ts'
import { installMock } from '../core/names.ts'
import { samplesOf } from '../core/samples.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'
import { writeStartMock } from './names.ts'
import { testPackage } from './naming.ts'

/** The facts about a contract that the test kit needs, in the package of the kit. */
export function emitSamples(signature: Signature, api: Api, sources: Sources): OutFile {
  const name = testPackage(api.platform)
  const file = new GoFile(`${name}/samples`, sources.contract, name)
  writeSignature(signature, file)
  const mock = () => {
    writeStartMock(api.platform, file)
    file.doc('installMock installs its package.')
    file.lines(`installMock = ${quote(installMock(api.platform))}`)
    file.doc('envMock is the environment variable that overrides startMock.')
    file.lines(`envMock = ${quote(`${api.platform.envPrefix}_MOCK`)}`)
  }
  file.block('const (', mock, ')').lines('')
  file.doc('signatureEncodings lists the encodings of a digest. The first one is the default.')
  const encodings = signature.encodings.map(quote).join(', ')
  file.lines(`var signatureEncodings = []string{${encodings}}`, '')

  file.doc('samples holds an event of each kind, and one of an unknown kind.')
  const entries = () => {
    for (const { kind, envelope } of samplesOf(api)) {
      file.lines(`{${quote(kind)}, ${jsonLiteral(envelope)}},`)
    }
  }
  return file.block('var samples = []sample{', entries, '}').finish()
}

/** How deliveries are signed, as constants of a package. */
export function writeSignature({ header, eventHeader, prefix }: Signature, file: GoFile): void {
  file.doc('How deliveries are signed; the digest is HMAC-SHA256 over the body.')
  const constants = () => {
    file.lines(`signatureHeader = ${quote(header)}`)
    file.lines(`signatureEventHeader = ${quote(eventHeader)}`)
    file.lines(`signaturePrefix = ${quote(prefix)}`)
  }
  file.block('const (', constants, ')').lines('')
}

/** Characters that a raw string cannot hold or would not show. JSON has them only in strings. */
const UNSAFE = /[`\u007f-\u009f\u2028\u2029\ufeff]/g

/** JSON as a raw string. */
export function jsonLiteral(value: object): string {
  return `\`${JSON.stringify(value).replace(UNSAFE, escaped)}\``
}
