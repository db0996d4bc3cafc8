import { problemOf } from '../../model/index.ts'
import type { Api } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { clause } from './doc.ts'
import { GoFile } from './file.ts'
import { pascal } from './naming.ts'
import { Types } from './references.ts'

/** The error of a status, and a type for each status that has a class. */
export function emitErrors(api: Api, sources: Sources): OutFile {
  const file = new GoFile('errors', sources.behavior, api.platform.goPackage)
  file.use('net/http').use('time')
  file.doc('APIError reports a response whose status is not a success.')
  file.block('type APIError struct {', () => fields(api, file), '}').lines('')
  const { classes } = api.policy.errors
  for (const { name, doc } of classes) {
    file.doc(`${name} reports that ${clause(inGo(doc))}`)
    file.lines(`type ${name} struct{ *APIError }`, '')
    file.doc('Unwrap returns the [APIError].')
    file.lines(`func (e *${name}) Unwrap() error { return e.wrapped() }`, '')
  }
  readProblem(api, file)
  const choose = () => {
    for (const { from, to, name } of classes) {
      const matches =
        from === to ? `e.Status == ${from}` : `e.Status >= ${from} && e.Status <= ${to}`
      file.lines(`case ${matches}:`, `\treturn &${name}{e}`)
    }
    file.lines('default:', '\treturn e')
  }
  return file
    .doc('classify returns the error as the type of its status, or as a plain APIError.')
    .block('func classify(e *APIError) error {', () => file.block('switch {', choose, '}'), '}')
    .finish()
}

function fields(api: Api, file: GoFile): void {
  const problem = problemOf(api)
  file.lines('Status int')
  file.doc('Code is the machine-readable code of the problem. It is empty if the body has none.')
  file.lines('Code string')
  file.doc('Message describes the error, with status, code, method, path and request id.')
  file.lines('Message string')
  file.doc(
    "RequestID identifies the request in the service's logs. Quote it when you contact support.",
  )
  file.lines('RequestID string')
  file.doc(
    problem
      ? 'Problem is the body, or nil if the body is not a JSON object.'
      : 'Problem is the body as decoded JSON, or nil if it is not a JSON object.',
  )
  file.lines(
    `Problem ${problem ? `*${new Types(api).name(problem.id)}` : 'map[string]any'} ${OMITTED}`,
  )
  file.doc('Headers and Body are those of the response.')
  file.lines(`Headers http.Header ${OMITTED}`, `Body []byte ${OMITTED}`)
  file.doc('Outcome says whether the request had an effect.').lines('Outcome Outcome')
  file.doc('RetryAfter is the delay that the service requests, or nil.')
  file.lines('RetryAfter *time.Duration', '', 'base base')
}

/** How an error gets its problem. */
function readProblem(api: Api, file: GoFile): void {
  const problem = problemOf(api)
  const type = problem ? new Types(api).name(problem.id) : 'map[string]any'
  file.doc('readProblem decodes the body of an error.')
  const body = () => {
    if (problem) file.lines(`return readObject[${type}](content)`)
    else {
      file.block(
        `if object := readObject[${type}](content); object != nil {`,
        () => file.lines('return *object'),
        '}',
      )
      file.lines('return nil')
    }
  }
  file.block(`func readProblem(content []byte) ${problem ? '*' : ''}${type} {`, body, '}').lines('')
}

/** What an encoded error must not show: it may hold secrets. */
const OMITTED = '`json:"-"`'

/** Spells the fields in a sentence of the policy like Go. */
function inGo(doc: string): string {
  return doc.replace(/`(\w+)`/g, (_, field: string) => pascal(words(field)))
}
