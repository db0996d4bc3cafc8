import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { constantName } from '../core/policy.ts'
import { storeTexts } from '../core/stores.ts'
import { TypeScriptFile } from './file.ts'
import { quote } from './literal.ts'

/** What the dedupe stores send, and their defaults. */
export function emitStores({ policy }: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/stores.ts', sources.behavior)
  for (const { store, name, text, isStatement } of storeTexts(policy)) {
    const open = `export const ${constantName([store, name])} = `
    if (isStatement) file.lines(`${open}\`${text.replace(/`|\\|\$\{/g, '\\$&')}\``, '')
    else file.lines(open + quote(text))
  }
  return file.finish()
}
