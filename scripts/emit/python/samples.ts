import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { futureOf, samplesOf } from '../core/samples.ts'
import { PythonFile } from './file.ts'
import { quote } from './literal.ts'
import { scopeOf, typeText } from './references.ts'

/** Events to test with, and what makes them, whose overloads tell the class of each kind. */
export function emitSamples(api: Api, sources: Sources): OutFile {
  const summary = 'Events to test with.'
  const file = new PythonFile('_generated/samples.py', sources.contract, summary)
  const choice = file.use('Literal', 'typing')
  // A kind of the contract hides the one that stands for the future.
  const samples = new Map(
    [futureOf(api) ?? [], samplesOf(api)]
      .flat()
      .map(({ kind, envelope }) => [quote(kind), quote(JSON.stringify(envelope))]),
  )
  const kinds = [...samples.keys()]
  file.lines(`SampleKind: ${file.use('TypeAlias', 'typing')} = ${choice}[${kinds.join(', ')}]`)
  file.doc(KINDS).lines('')
  const texts = () => file.lines(...[...samples].map(([kind, text]) => `${kind}: ${text},`))
  file.block(`SAMPLES: ${file.use('Mapping', 'collections.abc')}[str, str] = {`, texts, '}')
  file.doc('The events as JSON.').lines('')

  const scope = scopeOf(api, file)
  const classes = new Map([
    [quote('future'), file.use('UnknownEvent', 'webhooks._event')],
    ...api.webhooks.map(({ event, payload }) => [quote(event), typeText(payload, scope)] as const),
  ])
  const rest = `overrides: ${file.use('Overrides', 'webhooks._fakes')} = None`
  for (const kind of kinds) {
    const head = `def fake_event(kind: ${choice}[${kind}], ${rest})`
    file.lines('', `@${file.use('overload', 'typing')}`, `${head} -> ${classes.get(kind)}: ...`)
  }
  const whole = `def fake_event(kind: SampleKind, ${rest}) -> ${file.use('Event', 'webhooks._event')}:`
  file.lines('', '@overload', `${whole} ...`, '')
  file.use('make_event', 'webhooks._fakes')
  const body = () => {
    file.doc(MAKES)
    file.lines('return make_event(SAMPLES, kind, overrides)')
  }
  return file.block(whole, body, '').finish()
}

const KINDS =
  'The kinds of `fake_event`: those that the contract describes, and `future`, an event of an unknown kind with an unknown field and an unknown value, as a later version of the service may send it.'

const MAKES = [
  'Make an event of some kind; equal calls make equal events.',
  '`overrides` change the example: they are merged into the whole envelope, as in `{"data":{"reason":"x"}}`. A list is replaced whole, and None is null.',
  'Raises the base error for an unknown kind, and for overrides that are no JSON.',
].join('\n\n')
