import { format } from '@wasm-fmt/gofmt'
import type { OutFile } from '../core/file.ts'

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
    return { path, content: format(content) }
  } catch (cause) {
    throw new Error(`${path} is not valid:\n${content}`, { cause })
  }
}
