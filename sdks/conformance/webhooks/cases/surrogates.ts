import { delivery, envelope, withData, withField } from '../delivery.ts'

/** Text with a surrogate that has no other half, as JSON writes it. */
const lone: [id: string, text: string][] = [
  ['high', 'a\\ud83d'],
  ['low', 'a\\ude42'],
  ['alone', '\\ud83d'],
  ['first', '\\ud800'],
  ['last', '\\uDFFF'],
  ['before-text', '\\uDBFFa'],
  ['before-emoji', '\\ud83d🙂'],
  ['low-then-high', '\\ude42\\ud83d'],
  ['high-then-pair', '\\ud83d\\ud83d\\ude42'],
  ['pair-then-low', '\\ud83d\\ude42\\ude42'],
  ['apart', '\\ud83d \\ude42'],
  ['before-escaped-backslash', '\\ud83d\\\\ude42'],
  ['after-escaped-backslash', '\\\\ud83d\\ude42'],
  ['beside-replacement-character', '\\ufffd\\ud83d'],
]

/** Text of whole characters. */
const whole: [id: string, text: string][] = [
  ['pair', '\\ud83d\\ude42'],
  ['pair-upper-case', 'a\\uD83D\\uDE42'],
  ['pairs', '\\ud83d\\ude42\\ud83d\\ude42'],
  ['first-pair', '\\ud800\\udc00'],
  ['last-pair', '\\udbff\\udfff'],
  ['emoji', '🙂'],
  ['escaped-backslash', '\\\\ud83d'],
  ['before-surrogates', '\\ud7ff'],
  ['after-surrogates', '\\ue000'],
  ['replacement-character', '\ufffd'],
  ['escaped-replacement-character', '\\ufffd'],
]

const text = JSON.stringify(envelope)
const quoted = (of: string) => `"${of}"`

const accepted: [id: string, rule: string, body: string][] = [
  ['in-value', 'A value in data may be a lone surrogate.', withData('{"a":"\\udc00"}')],
  ['in-list', 'A list in data may hold a lone surrogate.', withData('{"a":["\\ud83d\\ud83d"]}')],
  ['in-name', 'A name in data may be a lone surrogate.', withData('{"\\ud800":1}')],
  [
    'in-known-field',
    'A known field of data may hold a lone surrogate.',
    withData('{"reason":"a\\ud83d"}'),
  ],
  ['in-new-field', 'An unknown field may hold one.', text.replace('{', '{"new":"\\ud800",')],
  [
    'in-new-name',
    'The name of an unknown field may hold one.',
    text.replace('{', '{"id\\ud800":7,'),
  ],
  ['in-overwritten-id', 'The last of repeated keys wins.', text.replace('{', '{"id":"\\ud800",')],
  [
    'in-overwritten-event',
    'The last of repeated keys wins.',
    text.replace('{', '{"event":"\\ud800",'),
  ],
  [
    'beside-replacement-character',
    'A replacement character in id is no lone surrogate.',
    withField('id', '"a\ufffd"').replace('{', '{"new":"\\ud800",'),
  ],
]

export const surrogateCases = [
  ...(['event', 'id'] as const).flatMap((field) => [
    ...lone.map(([id, of]) =>
      delivery(
        `surrogate-in-${field}-${id}`,
        'invalid_envelope',
        `The ${field} must not hold a lone surrogate.`,
        { body: withField(field, quoted(of)), event: null },
      ),
    ),
    ...whole.map(([id, of]) =>
      delivery(`whole-${field}-${id}`, 'ok', `The ${field} may hold any whole character.`, {
        body: withField(field, quoted(of)),
        event: null,
      }),
    ),
  ]),
  delivery('surrogate-in-last-id', 'invalid_envelope', 'The last of repeated keys wins.', {
    body: text.replace(/}$/, ',"id":"\\ud800"}'),
  }),
  ...accepted.map(([id, rule, body]) => delivery(`surrogate-${id}`, 'ok', rule, { body })),
]
