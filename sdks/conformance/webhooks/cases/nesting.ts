import { delivery, withData, withField } from '../delivery.ts'

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

// The lists of `data` are two levels below the envelope, its objects one.
const nestings: [id: string, rule: string, body: (levels: number) => string][] = [
  [
    'overwritten',
    'The levels of a member count, even if a later one overwrites it.',
    (levels) => withData(`{"a":${lists(levels - 2)},"a":1}`),
  ],
  [
    'overwritten-objects',
    'The levels of a member count, even if a later one overwrites it.',
    (levels) => withData(`{"a":${objects(levels - 2)},"a":1}`),
  ],
  [
    'overwritten-field',
    'The levels of an overwritten field of the envelope count.',
    (levels) => withData('{}').replace('{', `{"data":${lists(levels - 1)},`),
  ],
  [
    'overwritten-in-overwritten',
    'The levels of a member count in an overwritten one too.',
    (levels) => withData(`{"a":{"b":${lists(levels - 3)},"b":1},"a":1}`),
  ],
  [
    'new-field',
    'The levels of an unknown field count.',
    (levels) => withData('{}').replace('{', `{"new":${lists(levels - 1)},`),
  ],
  [
    'after-closing-brackets-in-text',
    'Brackets in a string end no level.',
    (levels) => withData(`{"a":"${']}'.repeat(200)}","b":${lists(levels - 2)}}`),
  ],
  [
    'beside-opening-brackets-in-text',
    'Brackets in a string begin no level.',
    (levels) => withData(`{"${'[{'.repeat(200)}":${lists(levels - 2)},"b":"${'['.repeat(200)}"}`),
  ],
  [
    'after-escaped-quote',
    'An escaped quote does not end a string.',
    (levels) => withData(`{"a":"\\"${'['.repeat(200)}","b":${lists(levels - 2)}}`),
  ],
  [
    'after-escaped-backslash',
    'An escaped backslash escapes no quote.',
    (levels) => withData(`{"a":"\\\\","b":${lists(levels - 2)},"c":"\\\\"}`),
  ],
  [
    'after-lists',
    'A list that ends no longer counts.',
    (levels) => withData(`{"a":[${'[],{},'.repeat(200)}0],"b":${lists(levels - 2)}}`),
  ],
]

export const nestingCases = [
  ...nestings.flatMap(([id, rule, body]) => [
    delivery(`nesting-100-${id}`, 'ok', rule, { body: body(100) }),
    delivery(`nesting-101-${id}`, 'invalid_json', rule, { body: body(101) }),
  ]),
  delivery('nesting-escaped-brackets', 'ok', 'An escaped bracket does not nest.', {
    body: withData(`{"a":"${'\\u005b\\u007b'.repeat(200)}"}`),
  }),
  delivery('nesting-brackets-in-id', 'ok', 'Brackets in a string do not nest.', {
    body: withField('id', `"${'['.repeat(200)}"`),
  }),
]
