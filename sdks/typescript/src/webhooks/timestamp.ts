// No leap seconds and no year 0, because not every language has them.
const RFC3339 =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** Whether a text is an RFC 3339 time with an offset and a real day. */
export function isTimestamp(text: string): boolean {
  const day = Number(text.slice(8, 10))
  return RFC3339.test(text) && (day < 29 || day <= daysIn(text))
}

function daysIn(date: string): number {
  // The calendar repeats every 400 years, and `Date.UTC` maps years below 100 to the 1900s.
  const year = 2000 + (Number(date.slice(0, 4)) % 400)
  return new Date(Date.UTC(year, Number(date.slice(5, 7)), 0)).getUTCDate()
}

/** The milliseconds since 1970 of a timestamp. */
export function instantOf(text: string): number {
  return Date.parse(text.toUpperCase())
}
