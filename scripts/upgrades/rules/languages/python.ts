import { argument, attribute, methodName, resourceName } from '../../../emit/python/naming.ts'
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

const FUNCTIONS = ['function_definition', 'lambda']

/** A class of the package by its name, or by that of its module too. */
function named(name: string, platform: Platform): Match {
  const identifier = python.typeName(name, platform)
  return oneOf(
    identifier,
    node('attribute', child(identifier, 'attribute')),
    node('dotted_name', child(word(platform.pythonImport)), child(word(name))),
    every(node('dotted_name', child(MODULE), child(word(name))), imported(platform)),
    node('dotted_name', child(identifier)),
  )
}

const MODULE: Match = { pattern: '$MODULE' }

/** Is in a file that imports a module of the package under a name of its own. */
function imported({ pythonImport }: Platform): Match {
  const name = child({ regex: `^${escaped(pythonImport)}(\\.|$)` }, 'name')
  return within(node('module', contains(node('aliased_import', name, child(MODULE, 'alias')))))
}

/** A declared type: itself, beside None, or as a text. */
function annotated(name: string, platform: Platform): Match {
  const alone = child(named(name, platform))
  const beside = child(node('binary_operator', contains(named(name, platform))))
  const quoted = child(python.string(name))
  return child(node('type', oneOf(alone, beside, quoted)), 'type')
}

function isinstance(variable: Match): Match {
  return node(
    'call',
    child(word('isinstance', 'identifier'), 'function'),
    child(node('argument_list', child(every(variable, { nthChild: 1 }))), 'arguments'),
  )
}

function kindOf(variable: Match): Match {
  return node(
    'attribute',
    child(word('event', 'identifier'), 'attribute'),
    child(variable, 'object'),
  )
}

export const python: Grammar = {
  language: 'python',
  dialects: ['Python'],
  raw: 'with_raw_response',
  problem: 'problem',
  items: 'data',
  names: {
    resources: ({ resource }) => resource.map((name) => resourceName({ path: [name] })),
    methods: (operation) => ({ one: methodName(operation) }),
    parameter: ({ name }) => argument(name),
    field: ({ name }) => attribute(name),
    type: (id) => id,
    value: () => null,
  },
  platform: ({ pythonImport }) =>
    node(
      'dotted_name',
      { regex: `^${escaped(pythonImport)}(\\.|$)` },
      parent(kinds('import_from_statement', 'import_statement', 'aliased_import')),
    ),
  member: (object, name) =>
    node('attribute', child(word(name, 'identifier'), 'attribute'), child(object, 'object')),
  memberName: (object, name) =>
    every(
      word(name, 'identifier'),
      parent(node('attribute', child(object, 'object')), 'attribute'),
    ),
  objectOf: (name) =>
    parent(node('attribute', child(word(name, 'identifier'), 'attribute')), 'object'),
  call: (member) => node('call', child(member, 'function')),
  wrappers: [{ kind: 'await' }, { kind: 'parenthesized_expression' }, { kind: 'named_expression' }],
  element: (list) => node('subscript', child(list, 'value')),
  variables: { kind: 'identifier' },
  file: { kind: 'module' },
  scopes: kinds(...FUNCTIONS, 'module'),
  bindings: (variable, bound) => {
    const assigned = node('assignment', child(variable, 'left'))
    const named = node('named_expression', child(variable, 'name'))
    const loops = ['for_statement', 'for_in_clause'].map((kind) =>
      node(kind, child(variable, 'left')),
    )
    const target = child(node('as_pattern_target', child(variable)), 'alias')
    const opened = node('as_pattern', target)
    const parameters = [
      node('typed_parameter', child(variable)),
      node('typed_default_parameter', child(variable, 'name')),
    ]
    if (!bound) {
      const bare = every(variable, parent(kinds('parameters', 'lambda_parameters')))
      const others = node('default_parameter', child(variable, 'name'))
      return [assigned, named, ...loops, opened, ...parameters, bare, others]
    }
    const { type } = bound
    return [
      every(assigned, child(bound.value, 'right')),
      every(named, child(bound.value, 'value')),
      ...where(bound.items, (items) => loops.map((loop) => every(loop, child(items, 'right')))),
      every(opened, child(bound.value)),
      ...(type === null
        ? []
        : [...parameters, assigned].map((one) => every(one, annotated(type, bound.platform)))),
    ]
  },
  narrowings: (variable, bound) => {
    const compared = node('comparison_operator', child(kindOf(variable)))
    const matched = node(
      'case_clause',
      within(node('match_statement', child(variable, 'subject'))),
      contains({ kind: 'class_pattern' }),
    )
    if (!bound) return [isinstance(variable), every(compared, child({ kind: 'string' })), matched]
    const { type, event, platform } = bound
    return [
      ...(event === null ? [] : [every(compared, child(python.string(event)))]),
      ...(type === null
        ? []
        : [
            every(
              isinstance(variable),
              child(node('argument_list', child(named(type, platform))), 'arguments'),
            ),
            every(matched, contains(node('class_pattern', child(named(type, platform))))),
          ]),
    ]
  },
  branches: (variable, { type, platform }) =>
    type === null
      ? []
      : [
          node(
            'case_clause',
            contains(node('class_pattern', child(named(type, platform)))),
            within(node('match_statement', child(variable, 'subject'))),
          ),
        ],
  arguments: (name, call) => [
    {
      rule: every(
        word(name, 'identifier'),
        parent(node('keyword_argument', parent(node('argument_list', parent(call)))), 'name'),
      ),
      fix: (to) => to,
    },
  ],
  nested: (name, call, holders) => {
    const data = kinds('dictionary', 'list', 'pair', 'keyword_argument')
    const given = { inside: { stopBy: without(data), kind: 'argument_list', ...parent(call) } }
    const holder = oneOf(
      parent(node('pair', child(holders, 'key'))),
      parent(node('keyword_argument', child(holders, 'name'))),
    )
    const object = node('dictionary', oneOf(holder, parent(node('list', holder))), given)
    const key = parent(node('pair', parent(object)), 'key')
    return [{ rule: every(python.string(name), key), fix: (to) => `"${to}"` }]
  },
  literals: (name, type, platform) => {
    const pattern = node('class_pattern', child(named(type, platform)))
    const keyword = node('keyword_pattern', parent(node('case_pattern', parent(pattern))))
    const matched = every(word(name, 'identifier'), { nthChild: 1 }, parent(keyword))
    const made = python.arguments(name, node('call', child(named(type, platform), 'function')))
    return [...made, { rule: matched, fix: (to) => to }]
  },
  patterns: () => [],
  typeName: (name, platform) => {
    const { pythonImport } = platform
    const module = { regex: `^${escaped(pythonImport)}(\\.|$)` }
    const source = node('import_from_statement', child(module, 'module_name'))
    const other = node('import_from_statement', without(child(module, 'module_name')))
    const entry = node(
      'dotted_name',
      word(name),
      oneOf(parent(source), parent(node('aliased_import', parent(source)))),
    )
    const isMember = parent(node('attribute', child(word(name), 'attribute')), 'attribute')
    const isKeyword = parent({ kind: 'keyword_argument' }, 'name')
    const isElsewhere = oneOf(isMember, isKeyword, within(other))
    const qualified = parent(node('attribute', child(module, 'object')), 'attribute')
    const aliased = parent(node('attribute', child(MODULE, 'object')), 'attribute')
    const patterned = parent(node('dotted_name', child(MODULE), parent({ kind: 'class_pattern' })))
    const isKnown = within(node('module', contains(entry)))
    const isAnnotation = parent(node('string', parent({ kind: 'type' })))
    return oneOf(
      every(
        word(name, 'identifier'),
        oneOf(
          qualified,
          every(oneOf(aliased, patterned), imported(platform)),
          every(without(isElsewhere), isKnown),
        ),
      ),
      every(word(name, 'string_content'), isAnnotation, isKnown),
    )
  },
  string: (text) => node('string', child(python.text(text))),
  text: (text) => word(text, 'string_content'),
  imports: kinds('import_statement', 'import_from_statement'),
  comparisons: kinds('comparison_operator', 'case_pattern'),
  makers: { client: ({ client }) => [client, `Async${client}`], verifier: 'Webhooks' },
  constant: (name, platform) => python.typeName(name, platform),
}
