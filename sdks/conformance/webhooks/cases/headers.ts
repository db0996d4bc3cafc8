import { delivery, envelope } from '../delivery.ts'

const EVENT: [string, string] = ['x-service-event', envelope.event]

const beyondAscii = (event: string) => ({ body: { ...envelope, event }, event })

export const headerCases = [
  delivery('header-absent', 'missing_signature', 'A delivery must be signed.', { signature: null }),
  ...['', ' ', '\t \t'].map((value, i) =>
    delivery(`header-empty-${i}`, 'missing_signature', 'An empty header counts as missing.', {
      signature: () => value,
    }),
  ),
  delivery('header-upper-case', 'ok', 'Header names are case-insensitive.', {
    headers: (signature) => [
      ['X-Service-Signature', signature],
      ['X-SERVICE-EVENT', envelope.event],
    ],
  }),
  delivery(
    'header-underscores',
    'missing_signature',
    'Underscores in the name make another header.',
    {
      headers: (signature) => [['x_service_signature', signature], EVENT],
    },
  ),
  delivery('header-longer-name', 'missing_signature', 'A longer header name is another header.', {
    headers: (signature) => [['x-service-signature-2', signature], EVENT],
  }),
  delivery('header-blank-around', 'ok', 'Spaces and tabs around a value are trimmed.', {
    signature: (right) => ` \t${right}\t `,
    event: `\t ${envelope.event} \t`,
  }),
  delivery('header-twice', 'duplicate_header', 'The signature header must occur once.', {
    headers: (signature) => [
      ['x-service-signature', signature],
      ['x-service-signature', `sha256=${'0'.repeat(64)}`],
    ],
  }),
  delivery('header-twice-equal', 'duplicate_header', 'Two equal signature headers are refused.', {
    headers: (signature) => [
      ['x-service-signature', signature],
      ['x-service-signature', signature],
    ],
  }),
  delivery(
    'header-twice-other-case',
    'duplicate_header',
    'Two signature headers in different case are refused.',
    {
      headers: (signature) => [
        ['x-service-signature', signature],
        ['X-Service-Signature', signature],
      ],
    },
  ),
  delivery('header-twice-empty', 'duplicate_header', 'Two empty signature headers are refused.', {
    headers: () => [
      ['x-service-signature', ''],
      ['x-service-signature', ''],
    ],
  }),
  delivery('header-joined', 'duplicate_header', 'A comma means joined headers.', {
    signature: (right) => `${right}, ${right}`,
  }),
  delivery(
    'header-comma-alone',
    'duplicate_header',
    'A lone comma means two joined empty headers.',
    {
      signature: () => ',',
    },
  ),
  delivery('event-absent', 'ok', 'The event header may be absent.', { event: null }),
  delivery('event-twice', 'duplicate_header', 'The event header must occur once.', {
    headers: (signature) => [['x-service-signature', signature], EVENT, EVENT],
  }),
  delivery('event-joined', 'duplicate_header', 'A comma means joined headers.', {
    event: `${envelope.event},${envelope.event}`,
  }),
  delivery('event-other', 'event_mismatch', 'The event header must name the kind in the body.', {
    event: 'conversation.created',
  }),
  delivery('event-empty', 'event_mismatch', 'An empty event header is a mismatch.', { event: '' }),
  delivery('event-blank', 'event_mismatch', 'A blank event header is a mismatch.', { event: ' ' }),
  delivery('event-other-case', 'event_mismatch', 'Kinds are case-sensitive.', {
    event: 'Conversation.Handoff',
  }),
  delivery('event-prefix', 'event_mismatch', 'A prefix of the kind is a mismatch.', {
    event: 'conversation',
  }),
  delivery('event-beyond-ascii', 'ok', 'The event header is UTF-8.', beyondAscii('разговор')),
  delivery(
    'event-beyond-ascii-other',
    'event_mismatch',
    'Kinds beyond ASCII are compared byte for byte.',
    { ...beyondAscii('разговор'), event: 'разговоР' },
  ),
]
