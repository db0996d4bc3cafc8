// The pictures of the guides: charts that show the kept run, and both themes of each.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOf, ROOT } from '../../bench/charts/files.ts'
import { THEMES } from '../../bench/charts/svg.ts'
import { figureOf, tablesOf } from '../../bench/charts/tables.ts'

const files = filesOf()

describe('the charts', () => {
  it.each([...files])('%s shows the kept run', (path, content) => {
    expect(readFileSync(join(ROOT, path), 'utf8'), 'Run `node bench/charts/write.ts`.').toBe(
      content,
    )
  })

  it('leave none behind', () => {
    const there = globSync('docs/images/charts/*', { cwd: ROOT })
    expect(there.filter((path) => !files.has(path))).toEqual([])
  })

  it.each([...files].filter(([path]) => path.endsWith('.svg')))(
    '%s has a title and a description, and needs nothing else',
    (_, svg) => {
      expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="title description"/)
      expect(svg).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/)
      expect(svg).not.toMatch(/<style|<script|<image|href|url\(|@import/)
      expect(svg).toContain('<text ')
    },
  )

  it.each(Object.entries(THEMES))('are clear in the %s theme', (_, theme) => {
    for (const text of [theme.text, theme.quiet]) {
      expect(contrast(text, theme.page)).toBeGreaterThanOrEqual(4.5)
    }
    for (const shape of [theme.ours, theme.others, theme.line]) {
      expect(contrast(shape, theme.page)).toBeGreaterThanOrEqual(3)
    }
  })

  it('read figures as the tables write them', () => {
    const page =
      '<!-- a:begin -->\n| x | y |\n| --- | ---: |\n| **b** | 1,200 (0.50) |\n<!-- a:end -->\n'
    expect(tablesOf(page, 'a')).toEqual([
      {
        head: ['x', 'y'],
        rows: [['**b**', '1,200 (0.50)']],
        text: '| x | y |\n| --- | ---: |\n| **b** | 1,200 (0.50) |',
      },
    ])
    expect(['1,200 (0.50)', '1.12 ×', '24.3', ''].map(figureOf)).toEqual([0.5, 1.12, 24.3, null])
  })
})

describe('a picture in a guide', () => {
  const pages = globSync('docs/**/*.md', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'docs/site/**', 'docs/dist/**'],
  })
  const pictures = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const found = text.matchAll(/<picture>([\s\S]*?)<\/picture>|!\[[^\]]*\]\([^)]*\)/g)
    return [...found].map(([whole]) => [page, whole] as const)
  })

  it('has both themes', () => {
    expect(pictures.length).toBeGreaterThan(0)
    for (const [page, picture] of pictures) {
      const [, dark = ''] =
        /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/.exec(picture) ?? []
      const [, alt = '', light = ''] = /<img alt="([^"]+)" src="([^"]+)">/.exec(picture) ?? []
      expect(dark, `${page}: ${picture}`).toBe(light.replace(/(?=\.\w+$)/, '-dark'))
      expect(alt).not.toBe('')
      for (const file of [light, dark]) {
        expect(globSync(file, { cwd: join(ROOT, dirname(page)) })).toEqual([file])
      }
    }
  })
})

/** The ratio of two colours by WCAG. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
