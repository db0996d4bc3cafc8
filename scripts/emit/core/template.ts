/** The text of a slot; null removes its line. */
export type Slots = Readonly<Record<string, string | boolean | null>>

const NAME = '[A-Za-z][\\w.]*'
const ALONE = new RegExp(`^(\\{\\{[#^/]${NAME}\\}\\})\\n`, 'gm')
const SECTION = new RegExp(`\\{\\{([#^])(${NAME})\\}\\}([\\s\\S]*?)\\{\\{/\\2\\}\\}`, 'g')
const SLOT = new RegExp(`\\{\\{(${NAME})\\}\\}`, 'g')

/**
 * Fills a template. `{{slot}}` becomes its value, whose further lines are indented like the first.
 * `{{#slot}}…{{/slot}}` stays where the slot has a value, and `{{^slot}}…{{/slot}}` where it has none; a
 * line that holds only such a mark vanishes.
 *
 * @throws Error for a slot that is unknown, and for one without a value outside of its section.
 */
export function fill(template: string, slots: Slots): string {
  const lookUp = (name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Error(`The template has an unknown slot: ${name}`)
    return value
  }
  const choose = (text: string): string =>
    text.replace(SECTION, (_, kind: string, name: string, body: string) => {
      const isThere = lookUp(name) !== null && lookUp(name) !== false
      return isThere === (kind === '#') ? choose(body) : ''
    })
  const chosen = choose(template.replace(ALONE, '$1'))
  // In one pass, so that a value is never taken for a slot.
  return chosen.replace(SLOT, (_, name: string, offset: number) => {
    const value = lookUp(name)
    if (typeof value !== 'string') throw new Error(`The slot ${name} has no value`)
    const [indent = ''] =
      /^[ \t]*/.exec(chosen.slice(chosen.lastIndexOf('\n', offset - 1) + 1)) ?? []
    return value.replace(/\n(?=.)/g, `\n${indent}`)
  })
}
