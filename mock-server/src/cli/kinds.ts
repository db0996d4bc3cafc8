/** Reads a comma-separated list of kinds. The option may be repeated. The server says which ones exist. */
export function collectKinds(text: string, before: string[] = []): string[] {
  return [...new Set([...before, ...text.split(',').map((kind) => kind.trim())])]
}
