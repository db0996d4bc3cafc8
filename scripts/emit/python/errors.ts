import type { Api } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PythonFile } from './file.ts'
import { snake } from './naming.ts'

/** A class per status that has one. */
export function emitErrors({ policy }: Api, sources: Sources): OutFile {
  const summary = 'The error classes of single statuses.'
  const file = new PythonFile('_generated/errors.py', sources.behavior, summary)
  const base = file.use('APIError', '_core.errors')
  const { classes } = policy.errors
  for (const { name, doc } of classes) {
    file.block(`class ${name}(${base}):`, () => file.doc(snakeNames(doc)), '').lines('')
  }
  const single = classes.filter(({ from, to }) => from === to)
  const ranges = classes.filter(({ from, to }) => from !== to)
  const rows = () => file.lines(...single.map(({ from, name }) => `${from}: ${name},`))
  file.block(`_CLASSES: dict[int, type[${base}]] = {`, rows, '}').lines('', '')
  const choose = () => {
    file.doc(`Return the class for a status, \`${base}\` by default.`)
    for (const { from, to, name } of ranges) {
      file.lines(`if ${from} <= status <= ${to}:`, `    return ${name}`)
    }
    file.lines(`return _CLASSES.get(status, ${base})`)
  }
  return file.block(`def error_class(status: int) -> type[${base}]:`, choose, '').finish()
}

/** `retryAfter` between backticks is `retry_after` here. */
function snakeNames(text: string): string {
  return text.replace(/`(\w+)`/g, (_, name: string) => `\`${snake(words(name))}\``)
}
