import type { Name } from '../model/types.ts'

/**
 * Splits a name of a document into words: at everything that is no letter or digit, and where case
 * changes. Words of capitals stay what they are (`URLSource` → `URL`, `Source`), unless the whole
 * name is in capitals (`IN_TRANSIT` → `in`, `transit`). The sign of a number is a word too.
 */
export function words(text: string): Name {
  const parts = text
    .normalize('NFC')
    .replace(/^[-+](?=\d)/, (sign) => (sign === '-' ? 'minus ' : 'plus '))
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const shouting = parts.length > 1 && parts.every((word) => word === word.toUpperCase())
  return shouting ? parts.map((word) => word.toLowerCase()) : parts
}

/** `UpperCamelCase`, in which names of types are compared and written. */
export function pascal(name: Name): string {
  return name.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

/** `a.b.create`, as people call a method in texts. */
export function dotted(resource: readonly Name[], method: Name): string {
  return [...resource, method].map(camel).join('.')
}

function camel(name: Name): string {
  const joined = pascal(name)
  return joined.slice(0, 1).toLowerCase() + joined.slice(1)
}

/** What two names have in common that differ in case and punctuation only. */
export function fold(name: Name): string {
  return name.join('').toLowerCase()
}

/** The singular of an English plural, by its ending. */
export function singular(word: string): string {
  if (/(?:ss|us|is|ics)$/i.test(word) || !/s$/i.test(word)) return word
  if (/ies$/i.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh|z)es$/i.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** A name whose last word is in the singular. */
export function singularName(name: Name): Name {
  return name.map((word, index) => (index === name.length - 1 ? singular(word) : word))
}
