import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { apart, type RubyWriter, rubyFile, signatureFile } from './file.ts'
import { snakeKey } from './naming.ts'

/** A class per status that has one. */
export function emitErrors(api: Api, sources: Sources): OutFile[] {
  const { platform, policy } = api
  const { classes } = policy.errors
  const library = rubyFile(platform, 'errors', sources.behavior, (file) => {
    for (const { name, doc } of classes) {
      file.doc(ownNames(doc)).lines(`class ${name} < APIError`, 'end', '')
    }
    const module = () => {
      file.doc('The classes of statuses.').tags(['@api private'])
      file.block('module Errors', () => table(api, file), 'end')
    }
    file.block('module Core', module, 'end')
  })
  const signatures = signatureFile(platform, 'errors', sources.behavior, (file) => {
    const parts = classes.map(({ name }) => () => {
      file.lines(`class ${name} < APIError`, 'end')
    })
    apart(file, parts)
  })
  return [library, signatures]
}

function table({ policy }: Api, file: RubyWriter): void {
  const rows = policy.errors.classes.map(({ from, to, name }) => `(${from}..${to}) => ${name}`)
  file.block('CLASSES = {', () => file.lines(rows.join(',\n')), '}.freeze').lines('')
  file.tags(['@return [Class] {APIError} by default'])
  const find = 'CLASSES.find { |statuses, _| statuses.include?(status) }&.last || APIError'
  file.block('def self.class_for(status)', () => file.lines(find), 'end')
}

/** Names of the behaviour's document as Ruby spells them. */
function ownNames(text: string): string {
  return text.replace(/`\w+`/g, snakeKey)
}
