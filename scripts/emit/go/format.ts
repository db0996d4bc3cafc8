import type { OutFile } from '../core/file.ts'
import { gofmt } from '../core/gofmt.js'

/** About how many characters are formatted at once. The formatter's memory grows with them, and stays. */
const PART = 100_000
/** Where a part may end: before a declaration, or its comment, at the beginning of a line. */
const DECLARATION = /(?<=\n)\n(?=(?:\/\/|func|type|var|const) )/g
const CLAUSE = 'package part\n\n'

/**
 * Formats Go files as gofmt does; others stay as they are.
 *
 * @throws Error for a file that is not valid, which is a fault of its emitter.
 */
export function formatGo(files: readonly OutFile[]): OutFile[] {
  return files.map((file) => (file.path.endsWith('.go') ? formatted(file) : file))
}

function formatted({ path, content }: OutFile): OutFile {
  try {
    return { path, content: inParts(content) ?? gofmt(content) }
  } catch (cause) {
    throw new Error(`${path} is not valid:\n${content}`, { cause })
  }
}

/** Formats a file part by part; null where a part is not valid, because it ends within a string. */
function inParts(content: string): string | null {
  const [first = '', ...others] = partsOf(content)
  try {
    const rest = others.map((part) => gofmt(CLAUSE + part).slice(CLAUSE.length))
    return [gofmt(first), ...rest].join('\n')
  } catch {
    return null
  }
}

function partsOf(content: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const { index } of content.matchAll(DECLARATION)) {
    if (index - start < PART) continue
    parts.push(content.slice(start, index))
    start = index + 1
  }
  return [...parts, content.slice(start)]
}
