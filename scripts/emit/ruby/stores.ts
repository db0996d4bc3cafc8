import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { constantName } from '../core/policy.ts'
import { type StoreText, storeTexts } from '../core/stores.ts'
import { apart, type RubyWriter, rubyFile } from './file.ts'
import { quote } from './literal.ts'

/** What the dedupe stores send, and their defaults. */
export function emitStores({ platform, policy }: Api, sources: Sources): OutFile {
  return rubyFile(platform, 'stores', sources.behavior, (file) => {
    const constants = storeTexts(policy).map((text) => () => constant(text, file))
    const core = () => {
      file.doc('What the dedupe stores send to their databases.').tags(['@api private'])
      file.block('module Stores', () => apart(file, constants), 'end')
    }
    file.block('module Core', core, 'end')
  })
}

function constant({ store, name, text, isStatement }: StoreText, file: RubyWriter): void {
  const open = `${constantName([store, name])} = `
  if (!isStatement) file.lines(open + quote(text))
  else file.block(`${open}<<~'TEXT'`, () => file.lines(text), 'TEXT')
}
