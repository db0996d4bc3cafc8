import { YamlParseError } from '@redocly/openapi-core'
import type { Problem } from './problem.ts'

/** What a step comes to, its failure included: Redocly throws some and returns others. */
export async function attempt<T>(step: () => Promise<T>): Promise<T | Error> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

/** Tells that a file cannot be read, and where it breaks off. */
export function unreadable(file: string, error: Error): Problem {
  const [line, column] = error instanceof YamlParseError ? [error.line, error.col] : [1, 1]
  const message = (error.message.split('\n')[0] ?? '').replace(/ in "[^"]*" \(\d+:\d+\).*$/, '')
  return {
    severity: 'error',
    place: { file, line, column },
    message: `the file cannot be read: ${message}`,
    fix: 'Give a file of valid YAML or JSON',
  }
}
