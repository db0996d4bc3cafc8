import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Comparison } from '../../changes/diff.ts'
import { guideFor } from './guide.ts'

/** The guide, from the root of the repository. */
export const GUIDE = 'docs/upgrading.md'

const INTRODUCTION = fileURLToPath(new URL('introduction.md', import.meta.url))

/** The title of the section of what is not released yet. */
const UNRELEASED = 'Unreleased'

/** What `npm run contract:change` writes: the guide with a section about what is not released yet. */
export const guide = {
  /** The guide also holds what people wrote, so it is never removed. */
  own: (): string[] => [],
  /** @param root The root of the repository. */
  files: ({ changes, before, after }: Comparison, root: string): Map<string, string> => {
    const file = join(root, GUIDE)
    const body = guideFor(changes, before, after)
    const isThere = existsSync(file)
    if (!isThere && body === '') return new Map()
    const text = readFileSync(isThere ? file : INTRODUCTION, 'utf8')
    return new Map([[GUIDE, withUnreleased(text, body)]])
  },
}

/**
 * The guide with another section about what is not released, or without one. The rest stays as it is, so
 * that the guide is the same when it is written again.
 */
export function withUnreleased(text: string, body: string): string {
  const { introduction, sections } = parse(text)
  const released = sections.filter(({ title }) => title !== UNRELEASED)
  const next = body.trim() === '' ? [] : [{ title: UNRELEASED, body: body.trim() }]
  return print(introduction, [...next, ...released])
}

interface Section {
  title: string
  body: string
}

/** Sections begin with a heading of the second level; the code of the guide has no line like one. */
function parse(text: string): { introduction: string; sections: Section[] } {
  const [introduction = '', ...parts] = text.split(/^## /m)
  const sections = parts.map((part) => {
    const [title = ''] = part.split('\n', 1)
    return { title: title.trim(), body: part.slice(title.length).trim() }
  })
  return { introduction: introduction.trim(), sections }
}

function print(introduction: string, sections: readonly Section[]): string {
  const parts = sections.map(({ title, body }) => `## ${title}\n\n${body}`)
  return `${[introduction, ...parts].join('\n\n')}\n`
}
