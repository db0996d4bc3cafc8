import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { constantName } from '../core/policy.ts'
import { storeTexts } from '../core/stores.ts'
import { PythonFile } from './file.ts'
import { quote } from './literal.ts'

/** What the dedupe stores send, and their defaults. */
export function emitStores({ policy }: Api, sources: Sources): OutFile {
  const summary = 'What the dedupe stores send to their databases.'
  const file = new PythonFile('_generated/stores.py', sources.behavior, summary)
  for (const { store, name, text, isStatement } of storeTexts(policy)) {
    const open = `${constantName([store, name])}: ${file.use('Final', 'typing')} = `
    if (isStatement) file.lines(`${open}"""\\\n${text.replaceAll('\\', '\\\\')}"""`, '')
    else file.lines(open + quote(text))
  }
  return file.finish()
}
