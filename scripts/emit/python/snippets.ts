import type { Api, Field, Operation } from '../../model/types.ts'
import { blocks, fenced } from '../core/markdown.ts'
import {
  ACCESS,
  errorClass,
  errorsText,
  FORWARD,
  fit,
  type Place,
  sentences,
} from '../core/readme.ts'
import type { Body, Call, Given, Tour } from '../core/tour.ts'
import { signatureOf } from './arguments.ts'
import { PythonFile } from './file.ts'
import { dictionary, literal, quote } from './literal.ts'
import { attribute, callPath } from './naming.ts'
import { compareMembers } from './order.ts'
import { type Scope, scopeOf } from './references.ts'

/** The code of the README, which knows how the methods of an API are called. */
export class Snippets {
  readonly #api: Api
  readonly #place: Place
  readonly #scope: Scope

  constructor(api: Api, place: Place) {
    this.#api = api
    this.#place = place
    // Signatures want to import what they name; here nothing is written from that.
    this.#scope = scopeOf(api, new PythonFile('readme.py', '', ''))
  }

  firstCall({ start }: Tour): string {
    const { client } = this.#api.platform
    return blocks(
      code(
        ...this.#imports([client], start),
        `client = ${client}(${this.#access()})`,
        ...(start ? ['', `${nounOf(start)} = ${this.#call(start)}`, show(start)] : []),
      ),
      sentences(
        'A client may be shared between threads.',
        `\`with ${client}() as client:\` closes its connections at the end.`,
      ),
    )
  }

  pages({ list }: Tour): string | null {
    if (!list) return null
    const item = nounOf(list.all)
    return blocks(
      'Iterating goes through every item of every page; a page is fetched when it is reached.',
      code(
        `for ${item} in ${this.#call(list.all)}:`,
        `    ${print(item, list.all.shown)}`,
        '',
        `page = ${this.#call(list.page)}`,
        'print(len(page.data), page.next_cursor)',
        'following = page.next_page()  # None after the last one',
      ),
    )
  }

  awaited({ list, read }: Tour): string | null {
    const { pythonImport, client } = this.#api.platform
    const some = read ?? list?.page
    if (!some) return null
    const lines = list
      ? [
          `async for ${nounOf(list.all)} in ${this.#call(list.all)}:`,
          `    ${print(nounOf(list.all), list.all.shown)}`,
        ]
      : [`${nounOf(some)} = await ${this.#call(some)}`, print(nounOf(some), some.shown)]
    return code(
      'import asyncio',
      '',
      `from ${pythonImport} import Async${client}`,
      '',
      '',
      'async def main() -> None:',
      `    async with Async${client}(${this.#access()}) as client:`,
      ...lines.map((line) => indent(line, 2)),
      '',
      '',
      'asyncio.run(main())',
    )
  }

  writing({ create, variant }: Tour): string | null {
    const key = create?.key ? [`idempotency_key=${quote(create.key)}`] : []
    const lines = [
      ...this.#imports([], create, variant),
      ...(create
        ? [`${nounOf(create)} = ${this.#call(create, key)}`, print(nounOf(create), create.shown)]
        : []),
      ...(create && variant ? [''] : []),
      ...(variant ? [this.#call(variant)] : []),
    ]
    return lines.length > 0 ? code(...lines) : null
  }

  data({ read, choice }: Tour): string {
    const { pythonImport } = this.#api.platform
    const text = sentences(
      'Objects are frozen dataclasses, with times as `datetime`; `to_dict()` is what they are in JSON.',
      FORWARD,
    )
    if (!read || !choice) return text
    const { model, field, value } = choice
    const name = attribute(field.name)
    return blocks(
      text,
      code(
        `from ${pythonImport} import ${model.id}`,
        '',
        `match ${this.#call(read)}:`,
        `    case ${model.id}(${name}=${quote(value)}):`,
        `        print(${quote(`${field.wire} is ${value}`)})`,
        `    case ${model.id}(${name}=other):`,
        `        print(${quote(`${field.wire} is something else:`)}, other)`,
      ),
    )
  }

  errors({ start, list }: Tour, policy: Api['policy']): string {
    const { client } = this.#api.platform
    const cases = [
      [errorClass(policy, 404), 'print("not there:", error)'],
      [errorClass(policy, 429), 'print("again in", error.retry_after, "seconds")'],
      ['APIError', 'print(error.status, error.code, error.request_id)'],
      [`${client}Error`, 'print(error.outcome, error)'],
    ].filter(([name]) => name !== null)
    const some = start ?? list?.page
    return blocks(
      some &&
        code(
          ...this.#imports(
            cases.map(([name]) => name ?? ''),
            some,
          ),
          'try:',
          indent(this.#call(some)),
          ...cases.flatMap(([name, action]) => [`except ${name} as error:`, `    ${action}`]),
        ),
      errorsText(this.#api, {
        retryAfter: 'retry_after',
        outcome: (name) => name,
        base: `${this.#api.platform.client}Error`,
        cancelled: 'A call that is cancelled raises what the interpreter or the event loop raises.',
      }),
    )
  }

  answer({ read }: Tour): string | null {
    if (!read) return null
    const { operation, path, query } = read
    const dictionaryOf = (given: readonly Given[]) =>
      dictionary(given.map(({ wire, value }) => [wire, literal(value)]))
    const items = [
      quote(operation.verb),
      quote(operation.path),
      ...(path.length > 0 ? [`path_params=${dictionaryOf(path)}`] : []),
      ...(query.length > 0 ? [`query=${dictionaryOf(query)}`] : []),
    ]
    const method = callPath(operation)
    const raw = method.replace(/(\.[^.]+)$/, '.with_raw_response$1')
    return blocks(
      code(
        `answer = ${this.#call(read).replace(method, raw)}`,
        'print(answer.data, answer.status, answer.request_id)',
      ),
      '`client.request` calls any path, also one that is newer than this package:',
      code(fit('client.request(', items, ')', { indent: '    ' })),
    )
  }

  webhooks({ event }: Tour, place: Place): string | null {
    if (!event) return null
    const { platform, policy } = this.#api
    const { responses, dedupe } = policy.webhooks
    const [shown = 'event.id'] = event.shown.map(({ name }) => `event.data.${attribute(name)}`)
    const from = `from ${platform.pythonImport}.webhooks`
    const testing = `from ${platform.pythonImport}.testing import fake_delivery`
    return blocks(
      code(
        `${from} import Event, MemoryDedupeStore, UnknownEvent, Webhooks`,
        `${from}.wsgi import webhook_app`,
        '',
        'webhooks = Webhooks("whsec_test")  # or ["new", "old"] during a rotation',
        'store = MemoryDedupeStore()  # of one process; with several, a DedupeStore of yours',
        '',
        '',
        'def handle(event: Event) -> None:',
        '    if isinstance(event, UnknownEvent):',
        '        print("newer than this package:", event.event)',
        `    elif event.event == ${quote(event.kind)}:`,
        `        print(${shown})`,
        '',
        '',
        'app = webhook_app(webhooks, handle, store=store)',
      ),
      sentences(
        'That is an app for any WSGI server, or to mount beside Flask or Django with `DispatcherMiddleware`.',
        `\`${platform.pythonImport}.webhooks.asgi\` has its twin for uvicorn, Starlette (\`Mount\`) and FastAPI (\`mount\`): there \`handle\` is an \`async def\`, and a store of yours is an \`AsyncDedupeStore\`.`,
        'Either reads the raw body itself, so nothing may read that first.',
      ),
      sentences(
        `It answers ${responses.handled} when the handler is done and ${responses.failed} when it raises, so that the service delivers again.`,
        'What is not genuine it refuses without a reason.',
        `\`on_error\`, beside \`store\`, is told the reason: the \`code\` of a \`WebhookVerificationError\` says what is wrong and its \`hint\` what to do; by default they go to the logger \`${platform.pythonImport}.webhooks\`.`,
        `A delivery that is repeated within ${dedupe.keptMs / 3_600_000} hours is not handled again; without a store it is.`,
        'Still an event may be handled twice, where a process dies in between: let the work be idempotent.',
      ),
      'For your tests, `fake_delivery` makes deliveries that are really signed, of every kind and of one from the `"future"`, and `fake_event` the events alone.',
      'Anywhere else, hand over the body as it came, as bytes: not parsed, not written again.',
      code(
        testing,
        `${from} import Webhooks`,
        '',
        fit(
          'delivery = fake_delivery(',
          [quote(event.kind), 'secret="whsec_test"', 'overrides={"id": "evt_test"}'],
          ')',
          { indent: '    ' },
        ),
        'webhooks = Webhooks("whsec_test")',
        'event = webhooks.unwrap(delivery.body, delivery.headers)  # else WebhookVerificationError',
        'print(event.id)  # => evt_test',
      ),
      sentences(
        '`Webhooks.sign(body, secret)` signs as the service does.',
        place === 'repository' && '[examples/python](../../examples/python) has a whole receiver.',
      ),
    )
  }

  /** Imports of some names, and of the classes that calls make their bodies of. */
  #imports(names: readonly string[], ...calls: Array<Call | null>): string[] {
    const classes = calls.flatMap((call) =>
      call?.body && this.#isWhole(call.operation) ? [call.body.model.id] : [],
    )
    const all = [...new Set([...names, ...classes])].sort(compareMembers)
    return all.length > 0
      ? [`from ${this.#api.platform.pythonImport} import ${all.join(', ')}`, '']
      : []
  }

  /** Whether a body is one argument. */
  #isWhole(operation: Operation): boolean {
    const { body } = signatureOf(operation, this.#scope)
    return body !== null && 'whole' in body
  }

  #access(): string {
    const { key, baseURL } = ACCESS[this.#place]
    return [
      ...(this.#api.credential ? [`api_key=${quote(key)}`] : []),
      `base_url=${quote(baseURL)}`,
    ].join(', ')
  }

  /** The expression that makes a call. */
  #call({ operation, path, query, body }: Call, more: readonly string[] = []): string {
    const signature = signatureOf(operation, this.#scope)
    const named = (given: Given) => {
      const found = signature.keywords.find(({ wire }) => wire === given.wire)
      return found ? [`${found.name}=${literal(given.value)}`] : []
    }
    const items = [
      ...path.map(({ value }) => literal(value)),
      ...(body && this.#isWhole(operation)
        ? [`body=${construction(body)}`]
        : (body?.fields ?? []).flatMap(named)),
      ...query.flatMap(named),
      ...more,
    ]
    return fit(`${callPath(operation)}(`, items, ')', { indent: '    ' })
  }
}

function construction({ model, fields }: Body): string {
  const given = fields.map(({ name, value }) => `${attribute(name)}=${literal(value)}`)
  return `${model.id}(${given.join(', ')})`
}

function code(...lines: string[]): string {
  return fenced('python', lines.join('\n'))
}

function indent(text: string, depth = 1): string {
  return text.replace(/^(?=.)/gm, '    '.repeat(depth))
}

function nounOf({ noun }: Call): string {
  return attribute(noun)
}

function show(call: Call): string {
  const line = print(nounOf(call), call.shown)
  return call.prints ? `${line}  # => ${call.prints}` : line
}

function print(object: string, shown: readonly Field[]): string {
  const fields = shown.map(({ name }) => `${object}.${attribute(name)}`)
  return `print(${fields.join(', ') || object})`
}
