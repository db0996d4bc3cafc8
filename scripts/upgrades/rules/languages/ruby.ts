import {
  constant,
  enumConstants,
  member,
  methodName,
  resourceMethod,
  variable,
} from '../../../emit/ruby/naming.ts'
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

function called(receiver: Match, name: string): Match {
  return node('call', child(word(name), 'method'), child(receiver, 'receiver'))
}

/** A constant of the package. */
function named(name: string, platform: Platform): Match {
  return node('scope_resolution', child(ruby.typeName(name, platform), 'name'))
}

function kindOf(variable: Match): Match {
  return called(variable, 'event')
}

const CHECKS: Match = { regex: '^(is_a\\?|kind_of\\?|instance_of\\?)$' }

/** A list itself, or one of its enumerators. */
function enumerated(items: Match): Match {
  return oneOf(
    items,
    node(
      'call',
      child({ regex: '^(auto_paging_each|lazy|each)$' }, 'method'),
      child(items, 'receiver'),
    ),
  )
}

export const ruby: Grammar = {
  language: 'ruby',
  dialects: ['Ruby'],
  raw: 'with_response',
  problem: 'problem',
  items: 'data',
  names: {
    resources: ({ resource }) => resource.map((name) => resourceMethod({ path: [name] })),
    methods: (operation) => ({ one: methodName(operation) }),
    parameter: ({ name }) => variable(name),
    field: ({ name }) => member(name),
    type: (id) => constant(id),
    value: ({ id, values }, value) => {
      const name = enumConstants(values)[values.indexOf(value)]
      return name ? `${constant(id)}::${name}` : null
    },
  },
  platform: ({ gem, rubyModule }) =>
    oneOf(
      word(rubyModule, 'constant'),
      node('string', { regex: `^['"]${escaped(gem)}(/.*)?['"]$` }),
      every(word('client', 'identifier'), parent({ kind: 'call' }, 'receiver')),
    ),
  member: called,
  memberName: (object, name) =>
    every(
      kinds('identifier', 'constant'),
      word(name),
      parent(node('call', child(object, 'receiver')), 'method'),
    ),
  objectOf: (name) => parent(node('call', child(word(name), 'method')), 'receiver'),
  call: (member) => member,
  wrappers: [{ kind: 'parenthesized_statements' }],
  element: (list) => node('element_reference', child(list, 'object')),
  variables: kinds('identifier', 'instance_variable'),
  file: { kind: 'program' },
  scopes: kinds('method', 'singleton_method', 'do_block', 'block', 'lambda', 'program'),
  bindings: (variable, bound) => {
    const assigned = node('assignment', child(variable, 'left'))
    const parameters = child(variable)
    const block = node('block_parameters', parameters)
    if (!bound) {
      const keyword = kinds('keyword_parameter', 'optional_parameter')
      const named = every(keyword, child(variable, 'name'))
      return [
        assigned,
        block,
        node('method_parameters', parameters),
        node('lambda_parameters', parameters),
        named,
      ]
    }
    const each = (items: Match) => node('call', child(enumerated(items), 'receiver'))
    return [
      every(assigned, child(bound.value, 'right')),
      ...where(bound.items, (items) => [
        every(block, parent(every(kinds('block', 'do_block'), parent(each(items), 'block')))),
      ]),
    ]
  },
  narrowings: (variable, bound) => {
    const checked = node('call', child(variable, 'receiver'), child(CHECKS, 'method'))
    const compared = node('binary', child(kindOf(variable)))
    const value = kinds('case', 'case_match')
    const inside = within(every(value, child(variable, 'value')))
    const cased = every(kinds('when', 'in_clause'), inside)
    if (!bound) return [checked, every(compared, child({ kind: 'string' })), cased]
    const { type, event, platform } = bound
    const argument = (type: string) =>
      child(node('argument_list', child(named(type, platform))), 'arguments')
    return [
      ...(type === null
        ? []
        : [
            every(checked, argument(type)),
            every(cased, child(contains(named(type, platform)), 'pattern')),
          ]),
      ...(event === null
        ? []
        : [
            every(compared, child(ruby.string(event))),
            every(cased, child(contains(ruby.string(event)), 'pattern')),
          ]),
    ]
  },
  branches: (variable, { type, event, platform }) => {
    const names = [
      ...(type === null ? [] : [named(type, platform)]),
      ...(event === null ? [] : [ruby.string(event)]),
    ]
    if (names.length === 0) return []
    const pattern = oneOf(...names, contains(oneOf(...names)))
    const value = every(kinds('case', 'case_match'), child(variable, 'value'))
    return [every(kinds('when', 'in_clause'), child(pattern, 'pattern'), within(value))]
  },
  arguments: (name, call) => {
    const given = parent(node('argument_list', parent(call)))
    const value = child({ regex: '.' }, 'value')
    const key = word(name, 'hash_key_symbol')
    return [
      { rule: every(key, parent(node('pair', value, given), 'key')), fix: (to) => to },
      {
        rule: node('pair', without(value), child(key, 'key'), given),
        fix: (to) => `${to}: ${name}`,
      },
    ]
  },
  nested: (name, call, holders) => {
    const data = kinds('hash', 'array', 'pair')
    const given = { inside: { stopBy: without(data), kind: 'argument_list', ...parent(call) } }
    const holder = parent(node('pair', child(holders, 'key')))
    const object = node('hash', oneOf(holder, parent(node('array', holder))), given)
    const key = parent(node('pair', child({ regex: '.' }, 'value'), parent(object)), 'key')
    return [{ rule: every(word(name, 'hash_key_symbol'), key), fix: (to) => to }]
  },
  literals: () => [],
  patterns: (name, value) => {
    const match = node('case_match', child(value, 'value'))
    const clause = node('in_clause', parent(match))
    const entry = parent(node('hash_pattern', parent(clause)))
    const key = word(name, 'hash_key_symbol')
    const given = child({ regex: '.' }, 'value')
    return [
      { rule: every(key, parent(node('keyword_pattern', given, entry), 'key')), fix: (to) => to },
      {
        rule: node('keyword_pattern', without(given), child(key, 'key'), entry),
        fix: (to) => `${to}: ${name}`,
      },
    ]
  },
  typeName: (name, { rubyModule }) =>
    every(
      word(name, 'constant'),
      parent(node('scope_resolution', child(word(rubyModule, 'constant'), 'scope')), 'name'),
    ),
  string: (text) => node('string', child(ruby.text(text))),
  text: (text) => word(text, 'string_content'),
  imports: { kind: 'superclass' },
  comparisons: kinds('binary', 'pattern', 'keyword_pattern', 'in_clause'),
  makers: { client: () => ['Client'], verifier: 'Webhooks' },
  constant: (name, { rubyModule }) => {
    const [type = '', value = ''] = name.split('::')
    const module = word(rubyModule, 'constant')
    const scope = node(
      'scope_resolution',
      child(word(type, 'constant'), 'name'),
      child(module, 'scope'),
    )
    return every(
      word(value, 'constant'),
      parent(node('scope_resolution', child(scope, 'scope')), 'name'),
    )
  },
}
