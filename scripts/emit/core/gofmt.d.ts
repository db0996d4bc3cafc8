/** Formats a Go file as gofmt does. @throws Error for an invalid one. */
export function gofmt(source: string): string
