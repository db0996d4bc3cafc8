import { delivery, envelope } from '../delivery.ts'

const real = [
  '2026-03-02T09:21:48.5Z',
  '2026-03-02T09:21:48.123456789012Z',
  '2026-03-02t09:21:48z',
  '2026-03-02T09:21:48+00:00',
  '2026-03-02T09:21:48-00:00',
  '2026-03-02T14:51:48+05:30',
  '2026-03-02T09:21:48-23:59',
  '2024-02-29T00:00:00Z',
  '2000-02-29T23:59:59Z',
  '2026-12-31T23:59:59Z',
  '2026-04-30T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0096-02-29T00:00:00Z',
  '9999-12-31T23:59:59Z',
]

const unreal = [
  '2026-03-02',
  '2026-03-02T09:21:48',
  '2026-03-02 09:21:48Z',
  '2026-03-02T09:21Z',
  '2026-03-02T09:21:48.Z',
  '2026-03-02T09:21:48,5Z',
  '2026-03-02T09:21:48+0530',
  '2026-03-02T09:21:48+05',
  '2026-03-02T09:21:48+24:00',
  '2026-03-02T09:21:48+05:60',
  '2026-03-02T09:21:48 Z',
  ' 2026-03-02T09:21:48Z',
  '2026-03-02T09:21:48Z\n',
  '2026-3-2T09:21:48Z',
  '26-03-02T09:21:48Z',
  '+002026-03-02T09:21:48Z',
  '20260302T092148Z',
  '2026-W10-1T09:21:48Z',
  '2026-00-02T09:21:48Z',
  '2026-13-02T09:21:48Z',
  '2026-03-00T09:21:48Z',
  '2026-03-32T09:21:48Z',
  '2026-04-31T09:21:48Z',
  '2026-06-31T09:21:48Z',
  '2026-02-29T09:21:48Z',
  '2026-02-30T09:21:48Z',
  '1900-02-29T09:21:48Z',
  '0100-02-29T09:21:48Z',
  '0000-01-01T00:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T09:60:48Z',
  '2016-12-31T23:59:60Z',
  '２０26-03-02T09:21:48Z',
  '1772443308',
  'Mon, 02 Mar 2026 09:21:48 GMT',
  'now',
  '',
]

const at = (occurred_at: string) => ({ ...envelope, occurred_at })

export const timeCases = [
  ...real.map((time, i) =>
    delivery(`time-real-${i}`, 'ok', 'occurred_at is RFC 3339 with an offset.', { body: at(time) }),
  ),
  ...unreal.map((time, i) =>
    delivery(
      `time-unreal-${i}`,
      'invalid_envelope',
      'occurred_at must be a real RFC 3339 time with an offset.',
      {
        body: at(time),
      },
    ),
  ),
  delivery('tolerance-off', 'ok', 'Without a tolerance, any age is accepted.', {
    options: { now: '2036-03-02T09:21:48Z' },
  }),
  ...(
    [
      ['past-edge', 'ok', '2026-03-02T09:26:48.000Z', 300],
      ['past-beyond', 'stale_event', '2026-03-02T09:26:48.001Z', 300],
      ['future-edge', 'ok', '2026-03-02T09:16:48.000Z', 300],
      ['future-beyond', 'stale_event', '2026-03-02T09:16:47.999Z', 300],
      ['zero-equal', 'ok', '2026-03-02T09:21:48.000Z', 0],
      ['zero-later', 'stale_event', '2026-03-02T09:21:48.001Z', 0],
      ['zero-earlier', 'stale_event', '2026-03-02T09:21:47.999Z', 0],
      ['fraction', 'ok', '2026-03-02T09:21:48.500Z', 0.5],
      ['below-millisecond', 'ok', '2026-03-02T09:26:48.0009Z', 300],
      ['rounded-down', 'stale_event', '2026-03-02T09:21:48.001Z', 0.0004],
      ['rounded-up', 'ok', '2026-03-02T09:21:48.001Z', 0.0006],
    ] as const
  ).map(([id, result, now, tolerance]) =>
    delivery(`tolerance-${id}`, result, 'The tolerance is symmetric and inclusive.', {
      options: { now, tolerance },
    }),
  ),
  delivery('tolerance-offset', 'ok', 'The offset is part of the instant.', {
    body: at('2026-03-02T14:51:48+05:30'),
    options: { tolerance: 0 },
  }),
  delivery('tolerance-instant-below-millisecond', 'ok', 'Times are compared in milliseconds.', {
    body: at('2026-03-02T09:21:47.9999Z'),
    options: { now: '2026-03-02T09:21:47.999Z', tolerance: 0 },
  }),
  delivery(
    'tolerance-first-century',
    'stale_event',
    'A year before 100 is not read as 19xx or 20xx.',
    {
      body: at('0026-03-02T09:21:48Z'),
      options: { tolerance: 86_400 },
    },
  ),
  delivery('tolerance-lower-case', 'ok', 'The letters of a time are case-insensitive.', {
    body: at('2026-03-02t09:21:48z'),
    options: { tolerance: 0 },
  }),
]
