import type { Api, Field } from '../../model/types.ts'
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
import type { Call, Given, Tour } from '../core/tour.ts'
import { type Argument, callOf, keywords } from './call.ts'
import { Declarations } from './declarations.ts'
import { literal, quote } from './literal.ts'
import { baseError } from './names.ts'
import { member, methodName, variable } from './naming.ts'

/** The code of the README, which knows how the methods of an API are called. */
export class Snippets {
  readonly #api: Api
  readonly #declarations: Declarations

  constructor(api: Api) {
    this.#api = api
    this.#declarations = new Declarations(api)
  }

  firstCall({ start }: Tour, place: Place): string {
    const { gem, rubyModule } = this.#api.platform
    const { key, baseURL } = ACCESS[place]
    const given = [
      ...(this.#api.credential ? [`api_key: ${quote(key)}`] : []),
      `base_url: ${quote(baseURL)}`,
    ]
    return code(
      `require ${quote(gem)}`,
      '',
      `client = ${rubyModule}::Client.new(${given.join(', ')})`,
      ...(start ? ['', `${nounOf(start)} = ${this.#call(start)}`, show(start)] : []),
    )
  }

  pages({ list }: Tour): string | null {
    if (!list) return null
    const item = nounOf(list.all)
    const all = `${this.#call(list.all)}.auto_paging_each`
    return blocks(
      sentences(
        '`auto_paging_each` goes through every item of every page; a page is fetched when it is reached.',
        'Without a block it is an Enumerator.',
      ),
      code(
        `${all} do |${item}|`,
        `  ${print(item, list.all.shown)}`,
        'end',
        '',
        `some = ${all}.lazy.first(3)`,
        '',
        `page = ${this.#call(list.page)}`,
        'puts page.data.size',
        'following = page.next_page # nil after the last one',
      ),
    )
  }

  writing({ create, variant }: Tour): string | null {
    const key = create?.key ? [`request_options: { idempotency_key: ${quote(create.key)} }`] : []
    const lines = [
      ...(create
        ? [`${nounOf(create)} = ${this.#call(create, key)}`, print(nounOf(create), create.shown)]
        : []),
      ...(create && variant ? [''] : []),
      ...(variant ? [this.#call(variant)] : []),
    ]
    return lines.length > 0 ? code(...lines) : null
  }

  data({ read, choice }: Tour): string {
    const text = sentences(
      'Objects are immutable, with times as `Time`; `to_h` makes a hash and `to_json` what they are in JSON.',
      FORWARD,
    )
    if (!read || !choice) return text
    const { field, value } = choice
    const name = member(field.name)
    return blocks(
      text,
      code(
        `case ${this.#call(read)}`,
        `in { ${name}: ${quote(value)} }`,
        `  puts ${quote(`${field.wire} is ${value}`)}`,
        `in { ${name}: other }`,
        `  puts ${quote(`${field.wire} is something else: `).slice(0, -1)}#{other}"`,
        'end',
      ),
    )
  }

  errors({ start, list }: Tour): string {
    const { policy, platform } = this.#api
    const cases = [
      [errorClass(policy, 404), 'puts "not there: #{error.message}"'],
      [errorClass(policy, 429), 'puts "again in #{error.retry_after} seconds"'],
      ['APIError', 'puts "#{error.status} #{error.code} #{error.request_id}"'],
      [baseError(this.#api), 'puts "#{error.outcome} #{error.message}"'],
    ].filter(([name]) => name !== null)
    const some = start ?? list?.page
    return blocks(
      some &&
        code(
          'begin',
          indent(this.#call(some)),
          ...cases.flatMap(([name, action]) => [
            `rescue ${platform.rubyModule}::${name} => error`,
            `  ${action}`,
          ]),
          'end',
        ),
      errorsText(this.#api, {
        base: `${platform.rubyModule}::${baseError(this.#api)}`,
        retryAfter: 'retry_after',
        outcome: (name) => `:${name}`,
        cancelled: 'A call that is interrupted raises what interrupted it.',
      }),
    )
  }

  answer({ read }: Tour): string | null {
    if (!read) return null
    const { operation, path, query } = read
    const items = [
      quote(operation.verb),
      quote(operation.path),
      ...(path.length > 0 ? [`path_params: ${hash(path)}`] : []),
      ...(query.length > 0 ? [`query: ${hash(query)}`] : []),
    ]
    const method = pathOf(read)
    const raw = method.replace(/(\.[^.]+)$/, '.with_response$1')
    return blocks(
      code(
        `answer = ${this.#call(read).replace(method, raw)}`,
        'puts answer.data, answer.status, answer.request_id',
      ),
      '`client.request` calls any path, also one that is newer than this gem:',
      code(fit('client.request(', items, ')', { last: '' })),
    )
  }

  webhooks({ event }: Tour, place: Place): string | null {
    if (!event) return null
    const { gem, rubyModule } = this.#api.platform
    const secret = quote('whsec_test')
    const [shown = 'event.id'] = event.shown.map(({ name }) => `event.data.${member(name)}`)
    return blocks(
      code(
        `webhooks = ${rubyModule}::Webhooks.new(${secret}) # or ["new", "old"] during a rotation`,
        `store = ${rubyModule}::Webhooks::MemoryDedupeStore.new`,
        '',
        `RECEIVER = ${rubyModule}::Webhooks::RackApp.new(webhooks, store:) do |event|`,
        '  case event',
        `  in { event: ${quote(event.kind)} }`,
        `    puts ${shown}`,
        '  else',
        '    puts "nothing to do about #{event.event}"',
        '  end',
        'end',
      ),
      sentences(
        'That is an application of Rack, 2 or 3: `run RECEIVER` in a `config.ru`, `post "/webhooks", to: RECEIVER` in the routes of Rails, `map` beside an application of Sinatra.',
        'It reads the raw body itself, so nothing may parse that first.',
        'Where the block raises, the service is asked to deliver again; any kind of event may come, also one that is newer than this gem.',
      ),
      sentences(
        '`on_error:` is given every error, else `rack.errors` is: a `WebhookVerificationError`, whose `code` says what is wrong and whose `hint` what to do, or what the block raised.',
        'The sender learns neither.',
      ),
      sentences(
        'The store knows the events that come again, in the memory of one process.',
        'Where several receive, give an object of your own with `begin`, `done` and `release`.',
        'An event is handled at least once: let the work be such that it may be repeated.',
      ),
      code(
        `require ${quote(`${gem}/testing`)}`,
        '',
        `delivery = ${rubyModule}::Testing.fake_delivery(${quote(event.kind)}, secret: ${secret})`,
        'puts RECEIVER.call(delivery.rack_env).first # => 204',
      ),
      sentences(
        '`delivery.body` and `delivery.headers` are for any other way to send it; `fake_event` makes the event alone.',
        'Fields are laid over those of the contract: `fake_event("future", data: { more: 1 })`, and `overrides:` for a delivery.',
        'Of `"future"`, this gem knows neither the kind nor all fields.',
        'Without Rack, `webhooks.unwrap(raw_body, headers)` returns the event of a request or raises.',
        place === 'repository' && '[examples/ruby](../../examples/ruby) has a whole receiver.',
      ),
    )
  }

  /** The expression that makes a call. */
  #call(call: Call, more: readonly string[] = []): string {
    const { path, query, body } = call
    const method = callOf(call.operation, this.#declarations)
    const fields =
      method.body.kind === 'variants'
        ? method.body.variants.flatMap((variant) => variant.fields).map(ownName)
        : []
    const known = [...keywords(method), ...fields]
    const named = (given: Given) => {
      const found = known.find(({ key }) => key === given.wire || key === member(given.name))
      return found ? [`${found.variable}: ${literal(given.value)}`] : []
    }
    const items = [
      ...path.map(({ value }) => literal(value)),
      ...(method.body.kind === 'value'
        ? [hash(body?.fields ?? [])]
        : (body?.fields ?? []).flatMap(named)),
      ...query.flatMap(named),
      ...more,
    ]
    return items.length > 0 ? fit(`${pathOf(call)}(`, items, ')', { last: '' }) : pathOf(call)
  }
}

/** A field of a variant is called by its own name, also where that is a keyword. */
function ownName(argument: Argument): Argument {
  return { ...argument, variable: argument.key }
}

function pathOf({ operation }: Call): string {
  return ['client', ...operation.resource.map(member), methodName(operation)].join('.')
}

function hash(given: readonly Given[]): string {
  const entries = given.map(({ wire, value }) => {
    return `${/^[a-z_]\w*$/.test(wire) ? wire : quote(wire)}: ${literal(value)}`
  })
  return `{ ${entries.join(', ')} }`
}

function code(...lines: string[]): string {
  return fenced('ruby', lines.join('\n'))
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

function nounOf({ noun }: Call): string {
  return variable(noun)
}

function show(call: Call): string {
  const line = print(nounOf(call), call.shown)
  return call.prints ? `${line} # => ${call.prints}` : line
}

function print(object: string, shown: readonly Field[]): string {
  const fields = shown.map(({ name }) => `${object}.${member(name)}`)
  if (fields.length < 2) return `puts ${fields[0] ?? object}`
  return `puts "${fields.map((field) => `#{${field}}`).join(' ')}"`
}
