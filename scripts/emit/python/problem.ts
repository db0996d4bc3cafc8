import { problemOf } from '../../model/index.ts'
import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PythonFile } from './file.ts'
import { named, scopeOf } from './references.ts'

/** The problem of an error: the object that all error responses share, otherwise any object. */
export function emitProblem(api: Api, sources: Sources): OutFile {
  const summary = 'The problem that the body of an unsuccessful response describes.'
  const file = new PythonFile('_generated/problem.py', sources.contract, summary)
  const model = problemOf(api)
  const any = file.use('Any', 'typing')
  const type = model ? named(model.id, scopeOf(api, file)) : `dict[str, ${any}]`
  file.lines(`Problem: ${file.use('TypeAlias', 'typing')} = ${type}`).lines('', '')
  const read = () => {
    file.doc('Return the problem, or None if the body is no object.')
    const value = model ? `${type}.read(body)` : 'body'
    file.lines(`return ${value} if isinstance(body, dict) else None`)
  }
  return file.block(`def read_problem(body: ${any}) -> Problem | None:`, read, '').finish()
}
