import type { Api } from '../../model/types.ts'
import { blocks, fenced } from '../core/markdown.ts'
import {
  ACCESS,
  errorClass,
  errorsText,
  FORWARD,
  type Place,
  sentences,
  WIDTH,
} from '../core/readme.ts'
import type { Call, Given, Tour } from '../core/tour.ts'
import { literal, quote } from './literal.ts'
import {
  allName,
  argument,
  fieldName,
  methodName,
  pascal,
  testPackage,
  valueNames,
} from './naming.ts'
import { Types } from './references.ts'

/** What a call may have written otherwise. */
interface Parts {
  name: string
  ctx: string
  params: string | null
  /** Options. */
  more: readonly string[]
}

/** The code of the README, which knows how the methods of an API are called. */
export class Snippets {
  readonly #api: Api
  readonly #types: Types

  constructor(api: Api) {
    this.#api = api
    this.#types = new Types(api)
  }

  firstCall({ start }: Tour, place: Place): string {
    const { goModule, goPackage } = this.#api.platform
    const { key, baseURL } = ACCESS[place]
    const name = goModule.endsWith(`/${goPackage}`) ? '' : `${goPackage} `
    const program = code(
      'package main',
      '',
      'import (',
      ...(start ? ['\t"context"', '\t"fmt"'] : []),
      '\t"log"',
      '',
      `\t${name}${quote(goModule)}`,
      ')',
      '',
      'func main() {',
      `\t${start ? 'client' : '_'}, err := ${this.#own('NewClient')}(`,
      ...(this.#api.credential ? [`\t\t${this.#own('WithAPIKey')}(${quote(key)}),`] : []),
      `\t\t${this.#own('WithBaseURL')}(${quote(baseURL)}),`,
      '\t)',
      ...onError('log.Fatal(err)', 1),
      ...(start
        ? [
            `\t${nounOf(start)}, err := ${this.#call(start, { ctx: 'context.Background()' }).replaceAll('\n', '\n\t')}`,
            ...onError('log.Fatal(err)', 1),
            `\t${show(start)}`,
          ]
        : []),
      '}',
    )
    return blocks(
      program,
      'What follows stands in a function that has `ctx` and `client`, and returns an error.',
    )
  }

  pages({ list }: Tour): string | null {
    if (!list) return null
    const item = nounOf(list.all)
    const { operation, query } = list.all
    const isGiven = operation.params !== null && query.length > 0
    const params = isGiven ? [`params := ${this.#params(operation.params, list.all)}`] : []
    const all = this.#call(list.all, {
      name: allName(operation),
      params: isGiven ? 'params' : null,
    })
    return blocks(
      'The range goes through every item of every page; a page is fetched when the loop reaches it.',
      code(
        ...params,
        `for ${item}, err := range ${all} {`,
        ...onError('return err', 1),
        `\t${print(list.all)}`,
        '}',
      ),
      'Page by page:',
      code(
        `page, err := ${this.#call(list.page)}`,
        'for page != nil {',
        '\tfmt.Println(len(page.Data), page.NextCursor)',
        '\tpage, err = page.NextPage(ctx) // nil after the last one',
        '}',
        ...onError('return err'),
      ),
    )
  }

  writing({ create, variant }: Tour): string | null {
    const key = create?.key ? [`${this.#own('WithIdempotencyKey')}(${quote(create.key)})`] : []
    const union = variant?.body?.union
    const shown = [
      ...(create ? [{ call: create, more: key }] : []),
      ...(variant && union && this.#types.tagged(union) ? [{ call: variant, more: [] }] : []),
    ]
    const lines = shown.map(({ call, more }) => [
      `${nounOf(call)}, err := ${this.#call(call, { more })}`,
      ...onError('return err'),
      print(call),
    ])
    return lines.length > 0 ? blocks(...lines.map((part) => code(...part))) : null
  }

  data(): string {
    const { goPackage } = this.#api.platform
    return sentences(
      `Optional fields are pointers, which \`${goPackage}.Ptr\` makes, or zero; where null means something else than absence they are \`Optional\`, made by \`${goPackage}.Some\` and \`${goPackage}.Null\`.`,
      FORWARD,
      'The `Extra` of an object holds such fields.',
    )
  }

  errors({ start, list }: Tour): string {
    const { policy } = this.#api
    const cases = [
      ['missing', errorClass(policy, 404), '"not there:", missing.Message'],
      ['limited', errorClass(policy, 429), '"come back later:", limited.RetryAfter'],
      ['failure', 'APIError', 'failure.Status, failure.Code, failure.RequestID'],
      ['other', 'Error', 'other.Outcome, other.Message'],
    ].filter(([, name]) => name !== null)
    const some = start ?? list?.page
    return blocks(
      some &&
        code(
          `_, err := ${this.#call(some)}`,
          'var (',
          ...cases.map(([variable, name]) => `\t${variable?.padEnd(7)} *${this.#own(name ?? '')}`),
          ')',
          'switch {',
          ...cases.flatMap(([variable, , shown]) => [
            `case errors.As(err, &${variable}):`,
            `\tfmt.Println(${shown})`,
          ]),
          '}',
        ),
      errorsText(this.#api, {
        retryAfter: 'RetryAfter',
        outcome: (name) => `Outcome${pascal(name.split('_'))}`,
        base: this.#own('Error'),
        cancelled: 'A call whose context ended returns the error of the context.',
      }),
    )
  }

  answer({ read }: Tour): string | null {
    if (!read) return null
    const { operation, path, query } = read
    const requestId = this.#api.policy.headers.requestId
    const inputs = [
      ...(path.length > 0
        ? [`Path: []any{${path.map(({ value }) => scalar(value)).join(', ')}}`]
        : []),
      ...(query.length > 0
        ? [
            `Query: url.Values{${query.map(({ wire, value }) => `${quote(wire)}: {${quote(String(value))}}`).join(', ')}}`,
          ]
        : []),
    ]
    const more = [`${this.#own('WithResponseInto')}(&response)`]
    return blocks(
      code(
        'var response *http.Response',
        `${nounOf(read)}, err := ${this.#call(read, { more })}`,
        ...onError('return err'),
        `fmt.Println(${fieldsOf(read)[0]}, response.StatusCode, response.Header.Get(${quote(requestId)}))`,
      ),
      '`client.Do` calls any path, also one that is newer than this package:',
      code(
        'var found map[string]any',
        `params := ${this.#own('DoParams')}{${inputs.join(', ')}}`,
        `err := client.Do(ctx, ${quote(operation.verb)}, ${quote(operation.path)}, params, &found)`,
        ...onError('return err'),
        'fmt.Println(len(found))',
      ),
    )
  }

  webhooks({ event }: Tour, place: Place): string | null {
    const webhook = this.#api.webhooks.find((one) => one.event === event?.kind)
    const model = webhook && this.#types.model(webhook.payload)
    if (!event || !model) return null
    const [shown] = event.shown
    const told = shown ? `event.Data.${fieldName(shown)}` : 'event.EventID()'
    const kit = testPackage(this.#api.platform)
    return blocks(
      code(
        `webhooks, err := ${this.#own('NewWebhooks')}([]string{secret}) // or both during a rotation`,
        ...onError('return err'),
        `receive := func(ctx context.Context, event ${this.#own('Event')}) error {`,
        '\tswitch event := event.(type) {',
        `\tcase *${this.#own(this.#types.name(model.id))}:`,
        `\t\tfmt.Println(${told})`,
        `\tcase *${this.#own('UnknownEvent')}:`,
        '\t\tfmt.Println("newer than this package:", event.Event)',
        '\t}',
        '\treturn nil // after an error, the event is delivered again',
        '}',
        `http.Handle("/webhooks", ${this.#own('WebhookHandler')}(webhooks, receive,`,
        `\t${this.#own('WithDedupeStore')}(${this.#own('NewMemoryDedupeStore')}())))`,
      ),
      sentences(
        'The handler verifies the body as it came: mount it outside of what parses bodies.',
        'A delivery may be repeated, which the store tells: this one for a single process, your own `DedupeStore` over a database for many.',
        '`WithOnError` sets who is told why a delivery was refused or not handled; by default it is `slog.Default()`.',
        "A `WebhookVerificationError`'s `Code` says what is wrong and its `Hint` what to do; the sender learns neither.",
        '`webhooks.Unwrap(body, headers)` verifies a delivery that came another way, like through a queue.',
      ),
      `For tests, package \`${kit}\` makes events and signed deliveries of every kind, and of \`"future"\`, which no version knows:`,
      code(
        `options := ${kit}.DeliveryOptions{Secret: secret}`,
        `delivery := ${kit}.FakeDelivery(${quote(event.kind)}, options)`,
        'answer := httptest.NewRecorder()',
        'http.DefaultServeMux.ServeHTTP(answer, delivery.Request("/webhooks"))',
        `fmt.Println(answer.Code) // => ${this.#api.policy.webhooks.responses.handled}`,
      ),
      place === 'repository' && '[examples/go](../../examples/go) has a whole receiver.',
    )
  }

  /** A name of the package, as those who import it write it. */
  #own(name: string): string {
    return `${this.#api.platform.goPackage}.${name}`
  }

  /** The expression that makes a call. */
  #call(call: Call, given: Partial<Parts> = {}): string {
    const { operation, path, body } = call
    const { name = methodName(operation), ctx = 'ctx', more = [] } = given
    const params = given.params ?? this.#params(operation.params, call)
    const method = ['client', ...operation.resource.map(pascal), name].join('.')
    const items = [
      ctx,
      ...path.map((given) => this.#value(given)),
      ...(body ? [this.#object(body.model.id, body.fields)] : []),
      ...(params === null ? [] : [params]),
      ...more,
    ]
    const line = `${method}(${items.join(', ')})`
    return line.length <= WIDTH - 10 ? line : `${method}(${items.join(',\n\t')})`
  }

  /** A pointer, unless one of them is required; nil where none is given, null where none exist. */
  #params(id: string | null, { operation, query }: Call): string | null {
    if (id === null) return null
    const isRequired = [...operation.queryParams, ...operation.headerParams].some(
      ({ required }) => required,
    )
    if (!isRequired && query.length === 0) return 'nil'
    return `${isRequired ? '' : '&'}${this.#object(id, query, true)}`
  }

  #object(id: string, given: readonly Given[], areParameters = false): string {
    const model = this.#types.model({ kind: 'ref', id })
    const fields = model ? this.#types.fields(model) : []
    const entries = given.flatMap((one) => {
      const field = fields.find(({ wire }) => wire === one.wire)
      // The SDK sets constants by itself.
      if (!field || (one.type.kind === 'literal' && !areParameters)) return []
      const value = this.#value(one)
      const isPointer = areParameters && typeof one.value === 'boolean'
      return [`${fieldName(field)}: ${isPointer ? `${this.#own('Ptr')}(${value})` : value}`]
    })
    return `${this.#own(this.#types.name(id))}{${entries.join(', ')}}`
  }

  #value({ type, value }: Given): string {
    const decl = this.#types.target(type)
    if (decl?.kind !== 'enum') return scalar(value)
    const index = decl.values.indexOf(value as string)
    return this.#own(valueNames(this.#types.name(decl.id), decl.values)[index] ?? '')
  }
}

function scalar(value: Given['value']): string {
  return typeof value === 'boolean' ? String(value) : literal(value)
}

function onError(action: string, depth = 0): string[] {
  const tabs = '\t'.repeat(depth)
  return [`${tabs}if err != nil {`, `${tabs}\t${action}`, `${tabs}}`]
}

function code(...lines: string[]): string {
  return fenced('go', lines.join('\n'))
}

function nounOf({ noun }: Call): string {
  return argument(noun)
}

function show(call: Call): string {
  const line = print(call)
  return call.prints ? `${line} // => ${call.prints}` : line
}

function print(call: Call): string {
  return `fmt.Println(${fieldsOf(call).join(', ')})`
}

/** What tells most of an answer, else all of it. */
function fieldsOf(call: Call): string[] {
  const noun = nounOf(call)
  return call.shown.length > 0 ? call.shown.map((field) => `${noun}.${fieldName(field)}`) : [noun]
}
