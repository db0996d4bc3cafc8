import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, type Located } from './case.ts'
import { CLIENTS } from './languages.ts'
import { readYaml } from './yaml.ts'

/** A case that a language does not pass yet. */
export interface KnownFailure {
  language: string
  case: string
  reason: string
}

const FILE = 'known-failures.yaml'

export function loadKnownFailures(cases: readonly Located[]): KnownFailure[] {
  const list = readYaml(readFileSync(join(FOLDER, FILE), 'utf8')) as unknown as KnownFailure[]
  checkKnownFailures(list, cases)
  return list
}

/** @throws Error for an entry without a reason, or with an unknown language or case. */
export function checkKnownFailures(list: readonly KnownFailure[], cases: readonly Located[]): void {
  for (const { language, case: id, reason } of list) {
    const known = CLIENTS.includes(language) && cases.some((one) => one.id === id)
    if (!known) throw new Error(`${FILE}: there is no case ${id} in ${language}.`)
    if (!reason) throw new Error(`${FILE}: say why ${language} fails ${id}.`)
  }
}
