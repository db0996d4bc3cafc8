import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Files of a project, by their paths. */
export type Files = Record<string, string>

export async function written(folder: string, files: Files): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), content)
  }
  return folder
}

/** These folders, then those that are searched anyway. */
export function searched(...folders: string[]): string {
  return [...folders, process.env.PATH].join(path.delimiter)
}
