import { camel, methodName } from '../../../emit/typescript/naming.ts'
import type { Platform } from '../../../model/types.ts'
import type { Grammar } from '../grammar.ts'
import {
  child,
  contains,
  escaped,
  every,
  kinds,
  node,
  oneOf,
  parent,
  where,
  within,
  without,
  word,
} from '../match.ts'
import type { Match } from '../types.ts'

const FUNCTIONS = kinds(
  'function_declaration',
  'function_expression',
  'arrow_function',
  'method_definition',
  'generator_function_declaration',
)

/** What loads a module in the middle of a program. */
const REQUIRE = node(
  'call_expression',
  child(oneOf(word('require', 'identifier'), { kind: 'import' }), 'function'),
)

/** A name in a file that imports it, or what it stands for, from the package. */
function imported(entry: Match, { npm }: Platform): Match {
  const source = child({ kind: 'string', regex: `^.${escaped(npm)}(/.*)?.$` }, 'source')
  return within(node('program', contains(every(entry, within(node('import_statement', source))))))
}

/** A type by the other name under which a file imports it. */
function aliased(name: string, platform: Platform): Match {
  const alias: Match = { pattern: '$ALIAS' }
  const specifier = node('import_specifier', child(word(name), 'name'), child(alias, 'alias'))
  return every({ kind: 'type_identifier' }, alias, imported(specifier, platform))
}

/** A name of the package behind the name under which a file imports all of it. */
function qualified(name: string, platform: Platform): Match {
  const all: Match = { pattern: '$ALL' }
  const type = node('nested_type_identifier', child(all, 'module'))
  const value = node('member_expression', child(all, 'object'))
  return every(
    kinds('type_identifier', 'property_identifier'),
    word(name),
    parent(oneOf(type, value)),
    imported(node('namespace_import', child(all)), platform),
  )
}

/** A declared type: itself, or beside null and undefined. */
function annotated(name: string, platform: Platform): Match {
  const own = typescript.typeName(name, platform)
  const nested = node('nested_type_identifier', child(qualified(name, platform), 'name'))
  const named = oneOf(own, nested, aliased(name, platform))
  const alone = oneOf(child(named), child(node('union_type', contains(named))))
  return child(node('type_annotation', alone), 'type')
}

/** The parameter of a callback that gets the value of a promise, or the items of a list. */
function callback(promise: Match, items: Match | null): Match {
  const then = node(
    'member_expression',
    child(word('then', 'property_identifier'), 'property'),
    child(promise, 'object'),
  )
  const each = where(items, (list) => [node('member_expression', child(list, 'object'))])
  const call = node('call_expression', child(oneOf(then, ...each), 'function'))
  return node('arrow_function', parent(node('arguments', parent(call))))
}

const EVENT = 'event'

function kindOf(variable: Match): Match {
  return node(
    'member_expression',
    child(variable, 'object'),
    child(word(EVENT, 'property_identifier'), 'property'),
  )
}

/** The pattern that takes fields from a value. */
function patternOf(value: Match): Match {
  return node('object_pattern', parent(node('variable_declarator', child(value, 'value')), 'name'))
}

export const typescript: Grammar = {
  language: 'typescript',
  dialects: ['TypeScript', 'Tsx'],
  raw: null,
  problem: 'problem',
  items: 'data',
  names: {
    resources: ({ resource }) => resource.map(camel),
    methods: (operation) => ({ one: methodName(operation) }),
    parameter: (parameter, { headerParams }) =>
      headerParams.includes(parameter) ? camel(parameter.name) : parameter.wire,
    field: ({ wire }) => wire,
    type: (id) => id,
    value: () => null,
  },
  platform: ({ npm }) =>
    node(
      'string',
      { regex: `^.${escaped(npm)}(/.*)?.$` },
      oneOf(parent({ kind: 'import_statement' }), parent(node('arguments', parent(REQUIRE)))),
    ),
  member: (object, name) =>
    node(
      'member_expression',
      child(word(name, 'property_identifier'), 'property'),
      child(object, 'object'),
    ),
  memberName: (object, name) =>
    every(
      word(name, 'property_identifier'),
      parent(node('member_expression', child(object, 'object')), 'property'),
    ),
  objectOf: (name) =>
    parent(
      node('member_expression', child(word(name, 'property_identifier'), 'property')),
      'object',
    ),
  call: (member) => node('call_expression', child(member, 'function')),
  wrappers: kinds(
    'await_expression',
    'parenthesized_expression',
    'non_null_expression',
    'as_expression',
    'satisfies_expression',
  ).any as Match[],
  element: (list) => node('subscript_expression', child(list, 'object')),
  variables: { kind: 'identifier' },
  file: { kind: 'program' },
  scopes: oneOf(...(FUNCTIONS.any ?? []), { kind: 'program' }),
  bindings: (variable, bound) => {
    const named = ['required_parameter', 'optional_parameter'].map((kind) =>
      node(kind, child(variable, 'pattern')),
    )
    const bare = every(variable, parent({ kind: 'arrow_function' }, 'parameter'))
    const declared = node('variable_declarator', child(variable, 'name'))
    const assigned = node('assignment_expression', child(variable, 'left'))
    const loop = node('for_in_statement', child(variable, 'left'))
    const taken = every(variable, { kind: 'shorthand_property_identifier_pattern' })
    const given = node('pair_pattern', child(variable, 'value'))
    if (!bound) return [...named, bare, declared, assigned, loop, taken, given]
    const called = callback(bound.value, bound.items)
    return [
      every(declared, child(bound.value, 'value')),
      every(assigned, child(bound.value, 'right')),
      ...where(bound.items, (items) => [every(loop, child(items, 'right'))]),
      ...bound.parts.flatMap(({ name, of }) => {
        const from = parent(patternOf(of))
        return [every(taken, word(name), from), every(given, child(word(name), 'key'), from)]
      }),
      every(variable, parent(called, 'parameter')),
      ...named.map((parameter) =>
        every(parameter, parent(node('formal_parameters', parent(called)))),
      ),
      ...(bound.type === null
        ? []
        : [...named, declared].map((one) =>
            every(one, annotated(bound.type ?? '', bound.platform)),
          )),
    ]
  },
  narrowings: (variable, bound) => {
    const compared = node('binary_expression', child(kindOf(variable)))
    const cased = node(
      'switch_case',
      parent(node('switch_body', parent(node('switch_statement', contains(kindOf(variable)))))),
    )
    if (!bound) return [every(compared, child({ kind: 'string' })), cased]
    if (bound.event === null) return []
    return [
      every(compared, child(typescript.string(bound.event))),
      every(cased, child(typescript.string(bound.event), 'value')),
    ]
  },
  branches: (variable, bound) => {
    if (bound.event === null) return []
    const text = typescript.string(bound.event)
    const value = node('switch_statement', child(contains(kindOf(variable)), 'value'))
    return [node('switch_case', child(text, 'value'), parent(node('switch_body', parent(value))))]
  },
  arguments: (name, call) => {
    const object = node('object', parent(node('arguments', parent(call))))
    const key = parent(node('pair', parent(object)), 'key')
    const quoted = every({ kind: 'string' }, { regex: `^['"]${escaped(name)}['"]$` }, key)
    return [
      { rule: every(word(name, 'property_identifier'), key), fix: propertyKey },
      { rule: quoted, fix: (to) => `'${to}'` },
      {
        rule: every(word(name, 'shorthand_property_identifier'), parent(object)),
        fix: (to) => `${propertyKey(to)}: ${name}`,
      },
    ]
  },
  nested: (name, call, holders) => {
    const data = kinds('object', 'array', 'pair')
    const given = { inside: { stopBy: without(data), kind: 'arguments', ...parent(call) } }
    const holder = parent(node('pair', child(holders, 'key')))
    const object = node('object', oneOf(holder, parent(node('array', holder))), given)
    const keyed = (key: Match) => every(key, parent(node('pair', parent(object)), 'key'))
    const short = every(word(name, 'shorthand_property_identifier'), parent(object))
    return [
      { rule: keyed(word(name, 'property_identifier')), fix: propertyKey },
      { rule: keyed(typescript.string(name)), fix: (to) => `'${to}'` },
      { rule: short, fix: (to) => `${propertyKey(to)}: ${name}` },
    ]
  },
  literals: () => [],
  patterns: (name, value) => {
    const object = patternOf(value)
    return [
      {
        rule: every(word(name, 'shorthand_property_identifier_pattern'), parent(object)),
        fix: (to) => `${propertyKey(to)}: ${name}`,
      },
      {
        rule: every(
          word(name, 'property_identifier'),
          parent(node('pair_pattern', parent(object)), 'key'),
        ),
        fix: propertyKey,
      },
    ]
  },
  typeName: (name, platform) => {
    const source = child({ kind: 'string', regex: `^.${escaped(platform.npm)}(/.*)?.$` }, 'source')
    const specifier = node(
      'import_specifier',
      child(word(name), 'name'),
      without(child({ regex: '.' }, 'alias')),
    )
    const renamed = every(child(word(name), 'name'), within(node('import_statement', source)))
    const own = every(
      kinds('identifier', 'type_identifier'),
      word(name),
      oneOf(imported(specifier, platform), parent(node('import_specifier', renamed), 'name')),
    )
    return oneOf(own, qualified(name, platform))
  },
  string: (text) => node('string', child(typescript.text(text))),
  text: (text) => word(text, 'string_fragment'),
  imports: { kind: 'import_statement' },
  comparisons: kinds('binary_expression', 'switch_case', 'literal_type'),
  makers: { client: ({ client }) => [client], verifier: 'Webhooks' },
  constant: (name, platform) => typescript.typeName(name, platform),
}

/** The key of a property, quoted where it must be. */
function propertyKey(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : `'${name}'`
}
