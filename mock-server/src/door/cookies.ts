/** The raw value of a cookie; undefined if there is none. */
export function cookieOf(
  headers: Record<string, string | undefined>,
  name: string,
): string | undefined {
  const pairs = headers.cookie?.split(/;\s*/) ?? []
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
