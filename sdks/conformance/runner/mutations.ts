import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { FOLDER, type Located } from './case.ts'
import { startDriver } from './driver.ts'
import { prepare } from './languages.ts'
import { forLanguage, runCase } from './run.ts'
import { readYaml } from './yaml.ts'

/** A deliberate fault that the suite must find. */
export interface Mutation {
  /** The broken rule, in the same words in all languages. */
  rule: string
  /** Relative to the folder of the package. */
  path: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** The prefix of the ids of the cases that should find it. */
  caught_by: string
}

export function loadMutations(language: string): Mutation[] {
  const file = join(FOLDER, 'mutations', `${language}.yaml`)
  return readYaml(readFileSync(file, 'utf8')) as unknown as Mutation[]
}

/** Runs the cases on a package with the fault, then reverts it. Resolves to the ids of the failed cases. */
export async function failuresWith(
  mutation: Mutation,
  language: string,
  packages: string,
  cases: readonly Located[],
): Promise<string[]> {
  const chosen = cases.filter(({ id }) => id.startsWith(mutation.caught_by))
  if (chosen.length === 0) throw new Error(`No case begins with ${mutation.caught_by}.`)
  const file = join(packages, language, mutation.path)
  const content = readFileSync(file, 'utf8')
  const parts = content.split(mutation.find)
  if (parts.length !== 2) {
    throw new Error(`${mutation.path} contains ${parts.length - 1} times: ${mutation.find}`)
  }
  writeFileSync(file, parts.join(mutation.replace))
  try {
    const driver = startDriver(await prepare(language, packages))
    try {
      return await failing(chosen, language, driver)
    } finally {
      driver.stop()
    }
  } finally {
    writeFileSync(file, content)
  }
}

async function failing(
  cases: readonly Located[],
  language: string,
  driver: ReturnType<typeof startDriver>,
): Promise<string[]> {
  const failed: string[] = []
  for (const one of cases) {
    try {
      const { expected, actual } = await runCase(forLanguage(one, language), driver)
      if (!isDeepStrictEqual(actual, expected)) failed.push(one.id)
    } catch (error) {
      // A fault may hang or kill the driver, which counts as found.
      return [...failed, `${one.id}: ${error}`]
    }
  }
  return failed
}
