import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'
import type { OutFile } from '../core/file.ts'
import { formatInParts } from '../core/parts.ts'

/** As in the pyproject.toml of the package. */
const SETTINGS = { 'line-length': 100, 'target-version': 'py310' }

/** Before classes and functions ruff has two blank lines, whatever they follow. */
const BEFORE = /(?<=\n)\n\n(?=(?:class |def |async def |@))/g

/**
 * Formats modules as the package formats its own.
 *
 * @throws Error for a module that is not valid, which is a fault of its emitter.
 */
export function formatPython(files: readonly OutFile[]): OutFile[] {
  const ruff = new Workspace(SETTINGS, PositionEncoding.Utf16)
  try {
    return files.map((file) =>
      file.path.endsWith('.py') ? { ...file, content: formatted(file, ruff) } : file,
    )
  } finally {
    ruff.free()
  }
}

/** Formats a code block of a README, as ruff does. */
export function formatCode(code: string): string {
  const [file] = formatPython([{ path: 'README.py', content: code }])
  return file?.content ?? code
}

function formatted({ path, content }: OutFile, ruff: Workspace): string {
  try {
    return formatInParts(content, {
      before: BEFORE,
      blank: '\n\n',
      format: (part) => ruff.format(part),
    })
  } catch (cause) {
    throw new Error(`${path} is not valid:\n${content}`, { cause })
  }
}
