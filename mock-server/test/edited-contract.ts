import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type Edit, edited } from './edited/tools.ts'

/** Writes the contract after an edit, without its examples, which the edit may contradict. */
export function editedContract(folder: string, edit: Edit['edit']): string {
  const document = edited({ name: 'without examples', edit })
  const plain = JSON.stringify(document, (key, value) =>
    key === 'example' || key === 'examples' ? undefined : value,
  )
  const file = join(folder, 'new.yaml')
  writeFileSync(file, stringify(JSON.parse(plain)))
  return file
}
