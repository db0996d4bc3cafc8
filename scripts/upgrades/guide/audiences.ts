import {
  AUDIENCES,
  type Audience,
  type Change,
  type Effect,
  LANGUAGES,
  type Language,
} from '../../changes/types.ts'
import { WRITTEN } from './languages.ts'

/** Who a change concerns, as the start of an item. */
const CONDITIONS: Readonly<Record<Audience, string>> = {
  upgrade: 'If you upgrade the package',
  stay: 'If you keep the old package',
  receive: 'If your webhook handler keeps the old package',
}

/** What happens to a program, as the end of a sentence about programs of some languages. */
const EFFECTS: Readonly<Record<Effect, string>> = {
  silent: 'runs with a wrong result, and nothing reports it',
  rejected: 'gets an error, because the service rejects the request',
  runtime: 'raises an error when it runs',
  load: 'does not load',
  compile: 'does not pass the type check',
  warning: 'runs, with a warning',
  none: 'works as before',
}

/** Who is hit and how, in an item for each audience. Nobody who is not hit has one. */
export function audiencesOf({ effects }: Change): string[] {
  return AUDIENCES.flatMap((audience) => {
    const groups = new Map<Effect, Language[]>()
    for (const language of LANGUAGES) {
      const effect = effects[language][audience]
      if (effect !== null) groups.set(effect, [...(groups.get(effect) ?? []), language])
    }
    if ([...groups.keys()].every((effect) => effect === 'none')) return []
    const parts = [...groups].map(([effect, languages]) => sentence(effect, languages))
    const [first = '', ...others] = parts
    return [
      [`- ${CONDITIONS[audience]}, ${first}.`, ...others.map((one) => `${capital(one)}.`)].join(
        ' ',
      ),
    ]
  })
}

function sentence(effect: Effect, languages: readonly Language[]): string {
  if (languages.length === LANGUAGES.length) return `your program ${EFFECTS[effect]}`
  const names = languages.map((language) => WRITTEN[language].title)
  return `a ${or(names)} program ${EFFECTS[effect]}`
}

function or(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse()
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
