import type { Api } from '../../model/types.ts'
import { pascal } from '../../model/words.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PythonFile } from './file.ts'
import { quote } from './literal.ts'
import { scopeOf, typeText } from './references.ts'

/** The routers, whose `on` knows the class of each kind's events. */
export function emitRouter(api: Api, sources: Sources): OutFile {
  const summary = 'Routers of events by their kinds.'
  const file = new PythonFile('_generated/router.py', sources.contract, summary)
  writeRouter({ prefix: '', stem: '_Handles', result: 'object' }, api, file)
  writeRouter({ prefix: 'Async', stem: '_Awaits', result: 'Awaitable[object]' }, api, file)
  return file.finish()
}

/** What differs between the router of plain functions and that of async ones. */
interface Flavor {
  prefix: string
  /** What the names of type variables begin with. */
  stem: string
  result: string
}

function writeRouter({ prefix, stem, result }: Flavor, api: Api, file: PythonFile): void {
  const scope = scopeOf(api, file)
  const callable = file.use('Callable', 'collections.abc')
  if (prefix) file.use('Awaitable', 'collections.abc')
  const event = file.use('Event', 'webhooks._event')
  const variable = (name: string, payload: string) => {
    const bound = `${callable}[[${payload}], ${result}]`
    file.lines(`${name} = ${file.use('TypeVar', 'typing')}(${quote(name)}, bound=${bound})`)
  }
  // A decorator returns what it got, so that one handler may have several kinds.
  const names = api.webhooks.map(({ name }) => stem + pascal(name))
  const forms = api.webhooks.map(({ event: kind, payload }, index) => {
    const name = names[index] ?? stem
    const handler = names.indexOf(name) === index ? name : `${name}_${index}`
    variable(handler, typeText(payload, scope))
    return { kind: `${file.use('Literal', 'typing')}[${quote(kind)}]`, handler }
  })
  variable(stem, event)

  const on = ({ kind, handler }: { kind: string; handler: string }) =>
    `def on(self, kind: ${kind}) -> ${callable}[[${handler}], ${handler}]:`
  const register = () => {
    file.doc(ON).lines('return self._routes.register(kind)')
  }
  const members = () => {
    file.doc(prefix ? `${CLASS}\n\nAll handlers are async.` : CLASS)
    file.lines('', '__slots__ = ("_routes",)', '')
    const made = `${file.use('Routes', 'webhooks._router')}(${file.use('EVENT_KINDS', '_generated.events')}, is_async=${prefix ? 'True' : 'False'})`
    const construct = () => {
      file.doc('Create a router without handlers.').lines(`self._routes = ${made}`)
    }
    file.block('def __init__(self) -> None:', construct, '')
    const [only, ...others] = forms
    if (only && others.length === 0) {
      file.block(on(only), register, '')
    } else {
      for (const form of forms) {
        file.lines(`@${file.use('overload', 'typing')}`, `${on(form)} ...`, '')
      }
      const anything = file.use('Any', 'typing')
      const whole = `${callable}[[${anything}], ${anything}]`
      const kind = file.use('EventKind', '_generated.events')
      file.block(`def on(self, kind: ${kind}) -> ${whole}:`, register, '')
    }
    const otherwise = () => {
      file.doc(OTHERWISE).lines('return self._routes.set_otherwise(handler)')
    }
    file.block(`def otherwise(self, handler: ${stem}) -> ${stem}:`, otherwise, '')
    const dispatch = () => {
      file
        .doc('Call the handler of an event. Does nothing if there is none.')
        .lines('handler = self._routes.handler_of(event)')
        .block(
          'if handler is not None:',
          () => file.lines(`${prefix && 'await '}handler(event)`),
          null,
        )
    }
    file.block(`${prefix && 'async '}def __call__(self, event: ${event}) -> None:`, dispatch, '')
  }
  file.lines('').block(`class ${prefix}WebhookRouter:`, members, '')
}

const CLASS = [
  'Passes each event to the handler of its kind. Pass the router to a receiver, as its handler.',
  '`@router.on(kind)` decorates the handler of a kind, and `@router.otherwise` that of all other events. Without the latter, these are ignored.',
].join('\n\n')

const ON = [
  'Decorate the handler of a kind, whose event has the class of that kind.',
  'Raises the base error for an unknown kind, for a second handler of a kind, and for a handler that the receiver could not call.',
].join('\n\n')

const OTHERWISE = [
  'Decorate the handler of all other events, also of kinds that are newer than this package.',
  'Raises the base error for a second handler, and for one that the receiver could not call.',
].join('\n\n')
