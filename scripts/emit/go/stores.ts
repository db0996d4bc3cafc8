import type { Api } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { storeTexts } from '../core/stores.ts'
import { GoFile } from './file.ts'
import { quote } from './literal.ts'
import { pascal } from './naming.ts'

/** What the dedupe stores send, and their defaults. */
export function emitStores({ policy, platform }: Api, sources: Sources): OutFile {
  const file = new GoFile('webhook_stores', sources.behavior, platform.goPackage)
  for (const { store, name, text, isStatement } of storeTexts(policy)) {
    const open = `const ${[store, name].map((part, i) => (i === 0 ? part : pascal(words(part)))).join('')} = `
    // A raw string has no escapes; a statement has no backtick.
    if (isStatement) file.lines(`${open}\`${text}\``, '')
    else file.lines(open + quote(text))
  }
  return file.finish()
}
