import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { TypeScriptFile } from './file.ts'
import { quote } from './literal.ts'

/** A class per status that has one. */
export function emitErrors({ policy }: Api, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/errors.ts', sources.behavior)
  const base = file.use('APIError', 'core/errors', 'value')
  const { classes } = policy.errors
  for (const { name, doc } of classes) {
    const getter = () => {
      file.block('override get name(): string {', () => file.lines(`return ${quote(name)}`), '}')
    }
    file.doc(doc).block(`export class ${name} extends ${base} {`, getter, '}').lines('')
  }
  const single = classes.filter(({ from, to }) => from === to)
  const ranges = classes.filter(({ from, to }) => from !== to)
  const rows = () => file.lines(...single.map(({ from, name }) => `${from}: ${name},`))
  file.block(`const classes: Readonly<Record<number, typeof ${base}>> = {`, rows, '}').lines('')
  const choose = () => {
    for (const { from, to, name } of ranges) {
      file.lines(`if (status >= ${from} && status <= ${to}) return ${name}`)
    }
    file.lines(`return classes[status] ?? ${base}`)
  }
  return file
    .doc(`The class for a status. A status without one is an \`${base}\`.`)
    .block(`export function errorClass(status: number): typeof ${base} {`, choose, '}')
    .finish()
}
