const FORM =
  /^P(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/

/** The milliseconds of an ISO 8601 duration in days, hours, minutes and seconds; NaN for other text. */
export function durationOf(text: string): number {
  const parts = FORM.exec(text)?.groups
  if (!parts || /[PT]$/.test(text)) return Number.NaN
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parts
  return (((+days * 24 + +hours) * 60 + +minutes) * 60 + +seconds) * 1000
}
