import { fileURLToPath } from 'node:url'
import { type Problem, readYaml } from '../yaml/index.ts'
import {
  AUDIENCES,
  type Audience,
  type ByLanguage,
  CLASSES,
  type Class,
  EFFECTS,
  type Effect,
  type Effects,
  type Kind,
  LANGUAGES,
  type Language,
} from './types.ts'

/** The kinds of changes, by their ids, in the order of the file. */
export type Catalogue = ReadonlyMap<string, Kind>

export const CATALOGUE = fileURLToPath(new URL('catalogue.yaml', import.meta.url))

type Row = Partial<Record<Audience, Effect>>

/** A kind as the file has it. */
interface Entry {
  text: string
  class: Class
  effects: { all: Row } & Partial<ByLanguage<Row>>
}

const PLACEHOLDER = /\{(\w+)\}/g

const row = {
  type: 'object',
  properties: Object.fromEntries(AUDIENCES.map((audience) => [audience, { enum: EFFECTS }])),
  additionalProperties: false,
}

const SCHEMA = {
  type: 'object',
  propertyNames: {
    pattern: '^[a-z]+(-[a-z]+)*$',
    'x-must-be': 'words in lower case joined by hyphens, like operation-removed',
  },
  additionalProperties: {
    type: 'object',
    required: ['text', 'class', 'effects'],
    properties: {
      text: {
        type: 'string',
        pattern: '^([^{}]|\\{(subject|before|after)\\})+$',
        'x-must-be': 'a sentence with no placeholders but {subject}, {before} and {after}',
      },
      class: { enum: CLASSES },
      effects: {
        type: 'object',
        required: ['all'],
        properties: Object.fromEntries(['all', ...LANGUAGES].map((key) => [key, row])),
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
}

/** Reads a catalogue. */
export async function loadCatalogue(
  file = CATALOGUE,
): Promise<{ catalogue: Catalogue; problems: Problem[] }> {
  const { value, problems, locate } = await readYaml<Record<string, Entry>>(file, SCHEMA)
  const entries = Object.entries(value ?? {})
  const kinds = entries.map(([id, { effects, ...entry }]): Kind => {
    return { id, ...entry, effects: spread(effects) }
  })
  const found = kinds.flatMap((kind) =>
    faultsOf(kind, entries).map(({ key, message, fix }): Problem => {
      const location = locate(`/${kind.id}${key}`)
      return { severity: 'error', location, message: `${kind.id} ${message}`, fix }
    }),
  )
  const catalogue = new Map(kinds.map((kind) => [kind.id, kind]))
  return { catalogue, problems: [...problems, ...found] }
}

/** The effects on each language, from those on all. */
function spread({ all, ...own }: Entry['effects']): Effects {
  const effect = (language: Language, audience: Audience) =>
    own[language]?.[audience] ?? all[audience] ?? null
  return Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      Object.fromEntries(AUDIENCES.map((audience) => [audience, effect(language, audience)])),
    ]),
  ) as Effects
}

interface Fault {
  key: string
  message: string
  fix: string
}

/** What no schema can say. */
function faultsOf(kind: Kind, entries: ReadonlyArray<[string, Entry]>): Fault[] {
  const effects = LANGUAGES.flatMap((language) => Object.values(kind.effects[language]))
  const breaks = LANGUAGES.some((language) => isBroken(kind.effects[language]))
  const faults: Fault[] = []
  if (breaks !== (kind.class === 'breaking')) {
    const message = `is ${kind.class}, but ${breaks ? 'an effect breaks users' : 'no effect does'}`
    faults.push({ key: '/class', message, fix: 'Correct the class or the effects' })
  }
  if (!effects.some((effect) => effect !== null)) {
    faults.push({
      key: '/effects',
      message: 'concerns nobody',
      fix: 'Give the effect on an audience',
    })
  }
  const [, entry] = entries.find(([id]) => id === kind.id) ?? []
  for (const language of LANGUAGES) {
    for (const [audience, effect] of Object.entries(entry?.effects[language] ?? {})) {
      if (entry?.effects.all[audience as Audience] !== effect) continue
      faults.push({
        key: `/effects/${language}/${audience}`,
        message: `says ${effect} for ${language}, which "all" already says`,
        fix: 'Remove it',
      })
    }
  }
  return faults
}

/** Whether a change breaks some users. A warning to those who upgrade is that something is deprecated, which works as before. */
export function isBroken(effects: Record<Audience, Effect | null>): boolean {
  return AUDIENCES.some((audience) => {
    const effect = effects[audience]
    if (audience === 'upgrade' && effect === 'warning') return false
    return effect !== null && effect !== 'none'
  })
}

/** The text of a kind about one change. */
export function fill(
  { text }: Pick<Kind, 'text'>,
  values: Readonly<Record<string, string>>,
): string {
  return text.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '')
}
