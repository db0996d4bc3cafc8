import type { OutFile } from '../core/file.ts'
import { gofmt } from '../core/gofmt.js'
import { type Cut, formatInParts } from '../core/parts.ts'

const CLAUSE = 'package part\n\n'

const CUT: Cut = {
  before: /(?<=\n)\n(?=(?:\/\/|func|type|var|const) )/g,
  blank: '\n',
  format: gofmt,
  formatFurther: (part) => gofmt(CLAUSE + part).slice(CLAUSE.length),
}

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
    return { path, content: formatInParts(content, CUT) }
  } catch (cause) {
    throw new Error(`${path} is not valid:\n${content}`, { cause })
  }
}
