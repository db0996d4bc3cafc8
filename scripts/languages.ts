import type { Generator, Language } from './emit/core/language.ts'
import { go } from './emit/go/language.ts'
import { python } from './emit/python/language.ts'
import { ruby } from './emit/ruby/language.ts'
import { typescript } from './emit/typescript/language.ts'

/** In the order of the columns of our tables. */
export const LANGUAGES: readonly Language[] = [typescript, python, ruby, go]

/** The names in `names.yaml` that they need. */
export const NAME_RULES = Object.assign({}, ...LANGUAGES.map(({ names }) => names))

/** The code that makes their packages. */
export async function loadGenerators(): Promise<ReadonlyMap<Language, Generator>> {
  const loaded = LANGUAGES.map(async (one) => [one, await one.load()] as const)
  return new Map(await Promise.all(loaded))
}
