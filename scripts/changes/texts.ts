import type { Api } from '../model/types.ts'
import { fill } from './catalogue.ts'
import type { Finding } from './compare/findings.ts'
import { nameOf, type Subject, spell } from './subject.ts'
import { type ByLanguage, type Kind, LANGUAGES, type Language } from './types.ts'

/** Kinds whose {before} and {after} are names of methods. */
const RENAMED_METHODS = new Set([
  'operation-renamed',
  'operation-renamed-kept',
  'operation-moved',
  'operation-moved-kept',
  'operation-old-name-removed',
])

/** The text of a change, by the names of the document. */
export function textOf({ subject, values }: Finding, kind: Kind): string {
  return filled(kind, { ...values, subject: nameOf(subject) })
}

/** The text in the spelling of each language. */
export function textsOf(
  finding: Finding,
  kind: Kind,
  { before, after }: { before: Api; after: Api },
): ByLanguage<string> {
  const { subject, named, values } = finding
  const spelled = spell(subject, named === 'before' ? before : after)
  const next = successorOf(finding, after)
  const successor = next && spell(next, after)
  const texts = LANGUAGES.map((language) => {
    const [name, next] = [spelled[language], successor?.[language]]
    // A type may have the same name although its event has not.
    const names = next !== undefined && next !== name ? { before: name, after: next } : {}
    const text = filled(kind, { ...values, ...names, subject: name })
    return [language, withoutOthers(text, language)]
  })
  return Object.fromEntries(texts)
}

const TITLES: Readonly<Record<Language, string>> = {
  typescript: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
  go: 'Go',
}

/** A text without the sentences that are about other languages only. */
function withoutOthers(text: string, language: Language): string {
  const sentences = text.split(/(?<=[.`]) (?=[A-Z`])/)
  const named = (sentence: string) => {
    const prose = sentence.replace(/`[^`]*`/g, '')
    return LANGUAGES.filter((one) => new RegExp(`\\b${TITLES[one]}\\b`).test(prose))
  }
  const isHers = (languages: Language[]) => languages.length === 0 || languages.includes(language)
  return sentences.filter((sentence) => isHers(named(sentence))).join(' ')
}

/** What a renamed part is now; null for other changes, and for what has no name in the SDKs. */
function successorOf({ kind, subject, after, renamed, users }: Finding, api: Api): Subject | null {
  if (subject.of === 'operation' && RENAMED_METHODS.has(kind)) {
    const operation = api.operations.find(({ pointer }) => pointer === after)
    return operation ? { of: 'operation', operation } : null
  }
  if (!renamed) return null
  const { to } = renamed
  switch (subject.of) {
    case 'field': {
      const models = api.decls.filter((decl) => decl.kind === 'model')
      const owner = models.find(({ fields }) => fields.some(({ pointer }) => pointer === after))
      const field = owner?.fields.find(({ pointer }) => pointer === after)
      return owner && field ? { of: 'field', decl: owner, field } : null
    }
    case 'parameter': {
      const operation = api.operations.find(({ id }) => users.includes(id))
      const { pathParams = [], queryParams = [], headerParams = [] } = operation ?? {}
      const all = [...pathParams, ...queryParams, ...headerParams]
      const parameter = all.find(({ wire }) => wire === to)
      return operation && parameter ? { of: 'parameter', operation, parameter } : null
    }
    case 'value': {
      const decl = api.decls.find((one) => one.kind === 'enum' && one.pointer === after)
      if (decl?.kind !== 'enum') return null
      const value = decl.values.find((one) => String(one) === to)
      return value === undefined ? null : { of: 'value', decl, value }
    }
    case 'type': {
      const decl = api.decls.find(({ id }) => id === to)
      return decl ? { of: 'type', decl } : null
    }
    case 'event': {
      const webhook = api.webhooks.find(({ event }) => event === to)
      return webhook ? { of: 'event', webhook } : null
    }
    default:
      return null
  }
}

function filled(kind: Kind, values: Readonly<Record<string, string>>): string {
  const quoted = Object.entries(values).map(([name, value]) => [name, quote(value)])
  return fill(kind, Object.fromEntries(quoted))
}

const MAX_QUOTED = 120

/** A value as Markdown code, in one line. It comes from a document that anybody may have written. */
function quote(value: string): string {
  const plain = value.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll('`', "'")
  return `\`${plain.length > MAX_QUOTED ? `${plain.slice(0, MAX_QUOTED)}…` : plain}\``
}
