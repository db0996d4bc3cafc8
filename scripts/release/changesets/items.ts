import { isBroken } from '../../changes/catalogue.ts'
import {
  AUDIENCES,
  type Audience,
  type Change,
  EFFECTS,
  type Effect,
  LANGUAGES,
} from '../../changes/types.ts'
import type { Package } from '../packages.ts'

/** What a change does to the users of one package. */
export type Row = Record<Audience, Effect | null>

/** A change, as the users of one package see it. */
export interface Item {
  change: Change
  effects: Row
  isBreak: boolean
  /** In a sentence. */
  text: string
  /** The changed part as a changelog calls it. */
  subject: string
}

export const BUMPS = ['none', 'patch', 'minor', 'major'] as const
export type Bump = (typeof BUMPS)[number]

/** What changes names in the SDKs alone, so that the mock server is as it was. */
const NAMES_ONLY =
  /^(?:type-|field-old-name-|operation-(?:renamed|moved)$|parameters-reordered$|required-order-changed$)/

/** What changes for the users of a package, the worst first. */
export function itemsOf({ language }: Pick<Package, 'language'>, all: readonly Change[]): Item[] {
  const changes = all.filter((change) => change.class !== 'documentation')
  const items = changes.flatMap((change): Item[] => {
    if (language === null && !isServed(change)) return []
    const effects = language === null ? served(change) : change.effects[language]
    if (language !== null && AUDIENCES.every((audience) => effects[audience] === null)) return []
    const isBreak = isBroken(effects)
    return language === null
      ? [{ change, effects, isBreak, text: change.text, subject: nameIn(change.text) }]
      : [
          {
            change,
            effects,
            isBreak,
            text: change.texts[language],
            subject: change.subject[language],
          },
        ]
  })
  return items.sort((a, b) => severity(a.effects) - severity(b.effects))
}

/**
 * The bump that a change needs at least. Before 1.0.0, a caret range like `^0.1.0` takes patches alone, so
 * a break is minor and an addition is a patch.
 */
export function bumpOf({ isBreak }: Pick<Item, 'isBreak'>, version: string): Bump {
  const isSettled = !version.startsWith('0.')
  if (isBreak) return isSettled ? 'major' : 'minor'
  return isSettled ? 'minor' : 'patch'
}

export function highest(bumps: readonly Bump[]): Bump {
  return BUMPS[Math.max(0, ...bumps.map((bump) => BUMPS.indexOf(bump)))] ?? 'none'
}

/** Whether the mock server behaves in another way, or shows something else. */
function isServed({ provenance, kind }: Change): boolean {
  return provenance === 'contract' && !NAMES_ONLY.test(kind)
}

/** Programs that stay as they are while the mock server moves on: the worst of all languages. */
function served({ effects }: Change): Row {
  const worst = (audience: Audience) =>
    EFFECTS.find((effect) => LANGUAGES.some((language) => effects[language][audience] === effect))
  return { upgrade: null, stay: worst('stay') ?? null, receive: worst('receive') ?? null }
}

function severity(effects: Row): number {
  const known = AUDIENCES.flatMap((audience) => effects[audience] ?? [])
  return Math.min(EFFECTS.length, ...known.map((effect) => EFFECTS.indexOf(effect)))
}

function nameIn(text: string): string {
  return /`([^`]*)`/.exec(text)?.[1] ?? text
}
