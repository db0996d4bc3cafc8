import { delivery, envelope } from '../delivery.ts'

const EVENT: [string, string] = ['x-service-event', envelope.event]

export const headerCases = [
  delivery('header-absent', 'missing_signature', 'A delivery is signed.', { signature: null }),
  ...['', ' ', '\t \t'].map((value, i) =>
    delivery(`header-empty-${i}`, 'missing_signature', 'An empty header is no signature.', {
      signature: () => value,
    }),
  ),
  delivery('header-upper-case', 'ok', 'Names have no case.', {
    headers: (signature) => [
      ['X-Service-Signature', signature],
      ['X-SERVICE-EVENT', envelope.event],
    ],
  }),
  delivery('header-underscores', 'missing_signature', 'Underscores make another header.', {
    headers: (signature) => [['x_service_signature', signature], EVENT],
  }),
  delivery('header-longer-name', 'missing_signature', 'A name that begins alike is another.', {
    headers: (signature) => [['x-service-signature-2', signature], EVENT],
  }),
  delivery('header-blank-around', 'ok', 'Spaces and tabs around a value are no part of it.', {
    signature: (right) => ` \t${right}\t `,
    event: `\t ${envelope.event} \t`,
  }),
  delivery('header-twice', 'duplicate_header', 'Two signatures are one too many.', {
    headers: (signature) => [
      ['x-service-signature', signature],
      ['x-service-signature', `sha256=${'0'.repeat(64)}`],
    ],
  }),
  delivery('header-twice-equal', 'duplicate_header', 'Even where they are equal.', {
    headers: (signature) => [
      ['x-service-signature', signature],
      ['x-service-signature', signature],
    ],
  }),
  delivery(
    'header-twice-other-case',
    'duplicate_header',
    'Even where their names differ in case.',
    {
      headers: (signature) => [
        ['x-service-signature', signature],
        ['X-Service-Signature', signature],
      ],
    },
  ),
  delivery('header-twice-empty', 'duplicate_header', 'Even where both are empty.', {
    headers: () => [
      ['x-service-signature', ''],
      ['x-service-signature', ''],
    ],
  }),
  delivery('header-joined', 'duplicate_header', 'A comma shows that two were joined.', {
    signature: (right) => `${right}, ${right}`,
  }),
  delivery('header-comma-alone', 'duplicate_header', 'Even two empty ones.', {
    signature: () => ',',
  }),
  delivery('event-absent', 'ok', 'The event header may be absent.', { event: null }),
  delivery('event-twice', 'duplicate_header', 'The event header is there once.', {
    headers: (signature) => [['x-service-signature', signature], EVENT, EVENT],
  }),
  delivery('event-joined', 'duplicate_header', 'A comma shows that two were joined.', {
    event: `${envelope.event},${envelope.event}`,
  }),
  delivery('event-other', 'event_mismatch', 'The event header names the kind in the body.', {
    event: 'conversation.created',
  }),
  delivery('event-empty', 'event_mismatch', 'An empty one does not.', { event: '' }),
  delivery('event-blank', 'event_mismatch', 'A blank one does not.', { event: ' ' }),
  delivery('event-other-case', 'event_mismatch', 'Kinds have a case.', {
    event: 'Conversation.Handoff',
  }),
  delivery('event-prefix', 'event_mismatch', 'A part of the kind is not the kind.', {
    event: 'conversation',
  }),
]
