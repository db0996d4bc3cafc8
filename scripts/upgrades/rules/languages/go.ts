import {
  allName,
  fieldName,
  methodName,
  pagesName,
  pascal,
  typeNames,
  valueNames,
} from '../../../emit/go/naming.ts'
import type { Api, Platform } from '../../../model/types.ts'
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
  word,
} from '../match.ts'
import type { Match } from '../types.ts'

const NAMES = new WeakMap<Api, ReadonlyMap<string, string>>()

function typeName(id: string, api: Api): string {
  const names = NAMES.get(api) ?? typeNames(api)
  NAMES.set(api, names)
  return names.get(id) ?? id
}

/** A type of the package, or a pointer to it. */
function named(name: string, platform: Platform): Match {
  const qualified = node('qualified_type', child(go.typeName(name, platform), 'name'))
  return oneOf(qualified, node('pointer_type', child(qualified)))
}

/** Variables that an assignment gives values. The first is the one that is not an error. */
function first(variable: Match): Match {
  return node('expression_list', child(every(variable, { nthChild: 1 })))
}

function some(value: Match): Match {
  return node('expression_list', child(value))
}

export const go: Grammar = {
  language: 'go',
  dialects: ['Go'],
  raw: null,
  problem: 'Problem',
  items: 'Data',
  names: {
    resources: ({ resource }) => resource.map(pascal),
    methods: (operation) => ({
      one: methodName(operation),
      ...(operation.page && { all: allName(operation), pages: pagesName(operation) }),
    }),
    parameter: ({ name }) => pascal(name),
    field: fieldName,
    type: typeName,
    value: ({ id, values }, value, api) =>
      valueNames(typeName(id, api), values)[values.indexOf(value)] ?? null,
  },
  platform: ({ goModule }) =>
    node('import_spec', child({ regex: `^"${escaped(goModule)}(/.*)?"$` }, 'path')),
  member: (object, name) =>
    node(
      'selector_expression',
      child(word(name, 'field_identifier'), 'field'),
      child(object, 'operand'),
    ),
  memberName: (object, name) =>
    every(
      word(name, 'field_identifier'),
      parent(node('selector_expression', child(object, 'operand')), 'field'),
    ),
  objectOf: (name) =>
    parent(node('selector_expression', child(word(name, 'field_identifier'), 'field')), 'operand'),
  call: (member) => node('call_expression', child(member, 'function')),
  wrappers: [{ kind: 'parenthesized_expression' }],
  element: (list) => node('index_expression', child(list, 'operand')),
  variables: { kind: 'identifier' },
  file: { kind: 'source_file' },
  scopes: kinds('function_declaration', 'method_declaration', 'func_literal', 'source_file'),
  bindings: (variable, bound) => {
    const assigned = ['short_var_declaration', 'assignment_statement'].map((kind) =>
      node(kind, child(first(variable), 'left')),
    )
    const spec = node('var_spec', child(variable, 'name'))
    const range = node('range_clause', child(node('expression_list', child(variable)), 'left'))
    const parameter = node('parameter_declaration', child(variable, 'name'))
    if (!bound) return [...assigned, spec, range, parameter]
    const { type, platform } = bound
    return [
      ...assigned.map((one) => every(one, child(some(bound.value), 'right'))),
      every(spec, child(some(bound.value), 'value')),
      ...where(bound.items, (items) => [every(range, child(items, 'right'))]),
      ...(type === null
        ? []
        : [
            ...assigned.map((one) => every(one, child(some(made(type, platform)), 'right'))),
            every(spec, child(named(type, platform), 'type')),
            every(parameter, child(named(type, platform), 'type')),
          ]),
    ]
  },
  narrowings: () => [],
  branches: (variable, { type, platform }) =>
    type === null
      ? []
      : [
          node(
            'type_case',
            child(named(type, platform), 'type'),
            parent(
              node(
                'type_switch_statement',
                child(node('expression_list', child(variable)), 'alias'),
              ),
            ),
          ),
        ],
  arguments: () => [],
  nested: () => [],
  literals: (name, type, platform) => [
    { rule: literalField(name, type, platform), fix: (to) => to },
  ],
  patterns: () => [],
  typeName: (name, { goPackage, goModule }) => {
    const path = child({ regex: `^"${escaped(goModule)}(/.*)?"$` }, 'path')
    const of = (isPackage: Match) =>
      oneOf(
        every(
          word(name, 'type_identifier'),
          parent(node('qualified_type', child(isPackage, 'package')), 'name'),
        ),
        every(
          word(name, 'field_identifier'),
          parent(node('selector_expression', child(isPackage, 'operand')), 'field'),
        ),
      )
    const alias: Match = { pattern: '$PACKAGE' }
    const spec = node('import_spec', path, child(alias, 'name'))
    return oneOf(of(word(goPackage)), every(of(alias), within(node('source_file', contains(spec)))))
  },
  string: (text) => node('interpreted_string_literal', child(go.text(text))),
  text: (text) => word(text, 'interpreted_string_literal_content'),
  imports: { kind: 'import_declaration' },
  comparisons: kinds('binary_expression', 'expression_list'),
  makers: { client: () => ['NewClient'], verifier: 'NewWebhooks' },
  constant: (name, platform) => go.typeName(name, platform),
}

/** A value of a type where it is made: as a literal, as a pointer to one, by new, or by an assertion. */
function made(name: string, platform: Platform): Match {
  const literal = node('composite_literal', child(named(name, platform), 'type'))
  return oneOf(
    literal,
    node('unary_expression', child(literal, 'operand')),
    node('type_assertion_expression', child(named(name, platform), 'type')),
    node('call_expression', child(word('new'), 'function'), contains(named(name, platform))),
  )
}

/** The name of a field in a literal of a type. */
function literalField(name: string, type: string, platform: Platform): Match {
  const literal = node('composite_literal', child(named(type, platform), 'type'))
  const value = node('literal_value', parent(literal))
  return every(
    word(name, 'identifier'),
    within(node('keyed_element', parent(value))),
    parent(node('literal_element', parent(node('keyed_element', parent(value)), 'key'))),
  )
}
