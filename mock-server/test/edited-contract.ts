import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'

export const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))

/** Writes the contract after an edit, without its examples, which the edit may contradict. */
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
export function editedContract(folder: string, edit: (document: any) => void): string {
  const document = JSON.parse(
    JSON.stringify(parse(readFileSync(CONTRACT, 'utf8')), (key, value) =>
      key === 'example' || key === 'examples' ? undefined : value,
    ),
  )
  edit(document)
  const file = join(folder, 'new.yaml')
  writeFileSync(file, stringify(document))
  return file
}
