import type { Change, Effect, Language } from './types.ts'

const HARMLESS: ReadonlySet<Effect | null> = new Set<Effect | null>([null, 'none', 'warning'])

/** The changes that can break a program of a language after an upgrade: those of what it names. */
export function breaksOf(
  changes: readonly Change[],
  language: Language,
  program: string,
): Change[] {
  const words = new Set(identifiersIn(program))
  return changes.filter(({ effects, subject, renamed, provenance }) => {
    if (HARMLESS.has(effects[language].upgrade)) return false
    // What has no name in the SDKs, such as the security, reaches every program.
    const isUnnamed = provenance !== 'generator' && new Set(Object.values(subject)).size === 1
    const names = [subject[language], ...(renamed ? [renamed.from] : [])]
    return isUnnamed || names.some((name) => words.has(identifiersIn(name).at(-1) ?? ''))
  })
}

function identifiersIn(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
}
