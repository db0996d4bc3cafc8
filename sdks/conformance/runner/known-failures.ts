import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, type Located } from './case.ts'
import { LANGUAGES, type LanguageName } from './languages.ts'
import { readYaml } from './yaml.ts'

/** A case that a language does not pass yet. */
export interface KnownFailure {
  language: LanguageName
  case: string
  reason: string
}

/** @throws Error for an entry without a reason, or of a language or a case that does not exist. */
export function loadKnownFailures(cases: readonly Located[]): KnownFailure[] {
  const file = 'known-failures.yaml'
  const list = readYaml(readFileSync(join(FOLDER, file), 'utf8')) as unknown as KnownFailure[]
  for (const { language, case: id, reason } of list) {
    const known = LANGUAGES.includes(language) && cases.some((one) => one.id === id)
    if (!known) throw new Error(`${file}: there is no case ${id} in ${language}.`)
    if (!reason) throw new Error(`${file}: say why ${language} fails ${id}.`)
  }
  return list
}
