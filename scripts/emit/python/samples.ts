import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { samplesOf } from '../core/samples.ts'
import { PythonFile } from './file.ts'
import { quote } from './literal.ts'
import { scopeOf, typeText } from './references.ts'

/** Sample events for tests, and the function that returns them, with an overload for each kind. */
export function emitSamples(api: Api, sources: Sources): OutFile {
  const summary = 'Sample events for tests.'
  const file = new PythonFile('_generated/samples.py', sources.contract, summary)
  const choice = file.use('Literal', 'typing')
  const samples = samplesOf(api)
  const kinds = samples.map(({ kind }) => quote(kind))
  file.lines(`SampleKind: ${file.use('TypeAlias', 'typing')} = ${choice}[${kinds.join(', ')}]`)
  file.doc(KINDS).lines('')
  const texts = () => {
    for (const { kind, envelope } of samples) {
      file.lines(`${quote(kind)}: ${quote(JSON.stringify(envelope))},`)
    }
  }
  file.block(`SAMPLES: ${file.use('Mapping', 'collections.abc')}[str, str] = {`, texts, '}')
  file.doc('The sample events in JSON.').lines('')

  const scope = scopeOf(api, file)
  const payloads = new Map(api.webhooks.map(({ event, payload }) => [event, payload]))
  const forms = samples.map(({ kind }) => {
    const payload = payloads.get(kind)
    const unknown = () => file.use('UnknownEvent', 'webhooks._event')
    const event = payload ? typeText(payload, scope) : unknown()
    return { kind: `${choice}[${quote(kind)}]`, event }
  })
  return writeFunction(forms, file).finish()
}

/** The type of a kind, and the class of its events. */
interface Form {
  kind: string
  event: string
}

function writeFunction(forms: readonly Form[], file: PythonFile): PythonFile {
  const overrides = `overrides: ${file.use('Overrides', 'webhooks._fakes')} = None`
  const signature = ({ kind, event }: Form) =>
    `def fake_event(kind: ${kind}, ${overrides}) -> ${event}:`
  const define = (form: Form, made: string) => {
    const body = () => file.doc(MAKES).lines(`return ${made}`)
    return file.block(signature(form), body, '')
  }
  const made = `${file.use('make_event', 'webhooks._fakes')}(SAMPLES, kind, overrides)`
  const [only, ...others] = forms
  if (only && others.length === 0) {
    // Type checkers require at least two overloads, all different.
    return define(only, `${file.use('cast', 'typing')}(${quote(only.event)}, ${made})`)
  }
  const any = { kind: 'SampleKind', event: file.use('Event', 'webhooks._event') }
  for (const form of [...forms, any]) {
    file.lines('', `@${file.use('overload', 'typing')}`, `${signature(form)} ...`)
  }
  file.lines('')
  return define(any, made)
}

const KINDS =
  'The kinds of `fake_event`: those of the contract, and `future`. A `future` event has an unknown kind, field and value, as a later version of the service may send it.'

const MAKES = [
  'Return a sample event. Equal calls return equal events.',
  '`overrides` are merged deeply into the whole envelope, as in `{"data":{"reason":"x"}}`. A list replaces a list, and None is null.',
  'Raises the base error for an unknown kind, and for overrides that JSON cannot hold.',
].join('\n\n')
