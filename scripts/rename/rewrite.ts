import type { Location, Problem } from '../yaml/index.ts'
import { finder, leftoverFinder, type Spelling } from './spellings.ts'

/** A file of the repository, by its path from the root. */
export interface TextFile {
  path: string
  content: string
}

/** What a file becomes, and what keeps it from that. */
export interface Rewritten extends TextFile {
  from: string
  problems: Problem[]
}

/** The languages by what the parts of paths and the tags of code blocks call them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ python: 'python', py: 'python', pyi: 'python', pip: 'python', toml: 'python' },
  ...{ ruby: 'ruby', rb: 'ruby', rbs: 'ruby', gemspec: 'ruby', ru: 'ruby', rakefile: 'ruby' },
  ...{ gemfile: 'ruby' },
  ...{ go: 'go', typescript: 'typescript' },
}

/** Rewrites files and their paths from one set of names to another. */
export class Rewriter {
  readonly #spellings: readonly Spelling[]
  readonly #old: RegExp
  readonly #leftover: RegExp | null
  readonly #new: RegExp
  readonly #foreign: RegExp | null

  constructor(all: readonly Spelling[]) {
    this.#spellings = all
    const old = all.map((spelling) => spelling.old)
    this.#old = finder(old)
    this.#new = finder(all.map((spelling) => spelling.new))
    const changed = all.filter((spelling) => spelling.old !== spelling.new)
    this.#leftover = leftoverFinder(
      changed.map((spelling) => spelling.old).filter((text) => !all.some((s) => s.new === text)),
    )
    const fresh = changed.map((spelling) => spelling.new).filter((text) => !old.includes(text))
    this.#foreign = fresh.length === 0 ? null : finder(fresh)
  }

  rewrite({ path, content }: TextFile): Rewritten {
    const problems: Problem[] = []
    const report = (text: string, offset: number, what: { message: string; fix: string }) =>
      problems.push({ severity: 'error', location: locationOf(path, text, offset), ...what })
    const language = languageOf(path)
    const isMarkdown = path.endsWith('.md')
    const replaced = content.replace(this.#old, (found: string, offset: number) => {
      const near = (isMarkdown ? fenceAt(content, offset) : null) ?? language
      const choice = this.#choose(found, near, content, offset)
      if (typeof choice === 'string') return choice
      report(content, offset, choice)
      return found
    })
    this.#findForeign(content, report)
    this.#findLeftovers(replaced, report)
    const aligned = language === 'ruby' ? realigned(content, replaced) : replaced
    return { from: path, path: this.#path(path, report), content: aligned, problems }
  }

  #path(path: string, report: Report): string {
    return path.replace(this.#old, (found: string, offset: number) => {
      const choice = this.#choose(found, languageOf(path), path, offset)
      if (typeof choice === 'string') return choice
      report('', 0, choice)
      return found
    })
  }

  /** The new text of a match: of the names that it can be, the one that its surroundings show. */
  #choose(found: string, language: string | null, text: string, offset: number) {
    const possible = this.#spellings.filter(({ old }) => old === found)
    const before = text.slice(Math.max(0, offset - 40), offset)
    const after = text.slice(offset + found.length, offset + found.length + 40)
    const shown = possible.filter((one) => one.before?.test(before) || one.after?.test(after))
    const usual = possible.filter(({ isRare }) => !isRare)
    const inLanguage = usual.filter((one) => one.language === language && language !== null)
    const general = usual.filter((one) => one.language === null)
    for (const names of [shown, inLanguage, general, usual]) {
      const [one, ...others] = new Set(names.map((name) => name.new))
      if (one !== undefined && others.length === 0) return one
    }
    const names = [...new Set(usual.map(({ name }) => name))]
    return {
      message: `\`${found}\` can be ${names.slice(0, -1).join(', ')} or ${names.at(-1)} here, which no longer are spelled alike`,
      fix: 'Give these names the same spelling, or name the file or the code block for its language',
    }
  }

  #findForeign(content: string, report: Report): void {
    if (!this.#foreign) return
    // Each found character by a blank, so that the locations stay.
    const others = content.replace(this.#old, (found) => ' '.repeat(found.length))
    for (const { 0: found, index } of others.matchAll(this.#foreign)) {
      const fix = 'Choose another name, or another word here'
      report(content, index, { message: `the new name \`${found}\` is a word here already`, fix })
    }
  }

  #findLeftovers(content: string, report: Report): void {
    if (!this.#leftover) return
    const others = content.replace(this.#new, (found) => ' '.repeat(found.length))
    for (const { 0: found, index } of others.matchAll(this.#leftover)) {
      const text = found.replace(/\s+/g, ' ')
      const fix = 'Write it as the other files do, on one line'
      report(content, index, { message: `\`${text}\` is no spelling of a name`, fix })
    }
  }
}

type Report = (text: string, offset: number, what: { message: string; fix: string }) => void

function languageOf(path: string): string | null {
  const parts = path
    .toLowerCase()
    .split(/[/._-]/)
    .reverse()
  const part = parts.find((name) => Object.hasOwn(LANGUAGES, name))
  return (part && LANGUAGES[part]) ?? null
}

/** Moves lines that are aligned with something after a name, which no formatter of ours does for Ruby. */
function realigned(before: string, after: string): string {
  const old = before.split('\n')
  const lines = after.split('\n')
  const indentOf = (line: string) => line.length - line.trimStart().length
  for (const [index, line] of old.entries()) {
    const by = (lines[index]?.trimStart().length ?? 0) - line.trimStart().length
    if (by === 0) continue
    const end = line.length - commonEnd(line, lines[index] ?? '')
    for (let next = index + 1; indentOf(old[next] ?? '') >= end; next++) {
      const text = lines[next] ?? ''
      lines[next] = ' '.repeat(indentOf(text) + by) + text.trimStart()
    }
  }
  return lines.join('\n')
}

function commonEnd(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length++
  return length
}

/** The language of the code block of a Markdown file that an offset is in. */
function fenceAt(markdown: string, offset: number): string | null {
  const fences = [...markdown.slice(0, offset).matchAll(/^ *```(\w*)/gm)]
  const isInside = fences.length % 2 === 1
  const tag = isInside ? fences.at(-1)?.[1] : undefined
  return (tag && LANGUAGES[tag]) || null
}

function locationOf(file: string, text: string, offset: number): Location {
  const lines = text.slice(0, offset).split('\n')
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
