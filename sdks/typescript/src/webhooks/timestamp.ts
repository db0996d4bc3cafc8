// No leap seconds and no year 0, because not every language has them.
const RFC3339 =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?!00)\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** Whether a text is an RFC 3339 time with an offset and a real day. */
export function isTimestamp(text: string): boolean {
  const day = Number(text.slice(8, 10))
  // Every month has 28 days. `Date` refuses a day that does not exist, or moves it to the next month.
  return RFC3339.test(text) && (day < 29 || day === new Date(text.slice(0, 10)).getUTCDate())
}

/** The milliseconds since 1970 of a timestamp. */
export function instantOf(text: string): number {
  return Date.parse(text.toUpperCase())
}
