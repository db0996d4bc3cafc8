import { Biome } from '@biomejs/js-api/nodejs'
import type { OutFile } from './file.ts'

// Large contracts have large files of types; Biome ignores those over 1 MiB.
const MAX_BYTES = 1 << 30

const EXTENSIONS = /\.(?:ts|json)$/

/**
 * Formats files as the repository formats its own.
 *
 * @param configuration Biome's, as in biome.json.
 * @throws Error for a file that is not valid, which is a fault of its emitter.
 */
export function format(files: readonly OutFile[], configuration: object): OutFile[] {
  const biome = new Biome()
  try {
    const { projectKey } = biome.openProject('/')
    biome.applyConfiguration(projectKey, { ...configuration, files: { maxSize: MAX_BYTES } })
    return files.map((file) => {
      if (!EXTENSIONS.test(file.path)) return file
      const { content, diagnostics } = biome.formatContent(projectKey, file.content, {
        filePath: `/${file.path}`,
      })
      if (diagnostics.length > 0) throw new Error(`${file.path} is not valid:\n${file.content}`)
      return { ...file, content }
    })
  } finally {
    biome.shutdown()
  }
}
