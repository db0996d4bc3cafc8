// A chart of horizontal bars. What it shows must not move when a name changes, so no text is measured.

export interface Bar {
  label: string
  value: number
  isOurs: boolean
}

export interface Group {
  title: string
  bars: Bar[]
}

export interface Drawing {
  title: string
  /** What a figure is, and which is better. */
  note: string
  /** What the line at 1 stands for. Null where figures are no ratios. */
  one: string | null
  unit: string
  groups: Group[]
}

export interface Theme {
  page: string
  text: string
  quiet: string
  ours: string
  others: string
  line: string
}

export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    ...{ page: '#ffffff', text: '#1f2328', quiet: '#59636e' },
    ...{ ours: '#0b62c4', others: '#818b98', line: '#1f2328' },
  },
  dark: {
    ...{ page: '#0d1117', text: '#f0f6fc', quiet: '#b1bac4' },
    ...{ ours: '#58a6ff', others: '#6e7681', line: '#f0f6fc' },
  },
}

const WIDTH = 780
/** Where the bars begin, and where the longest one ends. */
const LEFT = 320
const RIGHT = 700
const ROW = 24
const BAR = 14
const HEAD = 30
const FOOT = 52
const PAD = 16

export function svgOf(drawing: Drawing, theme: Theme): string {
  const { title, note, one, unit, groups } = drawing
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value))
  const most = Math.max(...values, one === null ? 0 : 1)
  const x = (value: number) => round(LEFT + (value / most) * (RIGHT - LEFT))
  const shapes: string[] = []
  const texts: string[] = []
  let y = PAD
  for (const group of groups) {
    texts.push(text(PAD, y + 17, group.title, { fill: theme.text, 'font-weight': '600' }))
    y += HEAD
    for (const { label, value, isOurs } of group.bars) {
      const weight: Record<string, string> = isOurs ? { 'font-weight': '600' } : {}
      const fill = isOurs ? theme.ours : theme.others
      shapes.push(
        `<rect x="${LEFT}" y="${y + 1}" width="${round(x(value) - LEFT)}" height="${BAR}" rx="2" fill="${fill}"/>`,
      )
      texts.push(
        text(LEFT - 10, y + 12, label, { fill: theme.text, 'text-anchor': 'end', ...weight }),
        // The line does not cross it.
        text(x(value) + 6, y + 12, `${shown(value, unit)}${unit}`, {
          ...{ fill: theme.text, ...weight },
          ...{ stroke: theme.page, 'stroke-width': '4', 'paint-order': 'stroke' },
        }),
      )
      y += ROW
    }
    y += 10
  }
  const bottom = y
  if (one !== null) {
    shapes.push(
      `<path d="M${x(1)} ${PAD + HEAD - 6}V${bottom}" stroke="${theme.line}" stroke-width="1.5" stroke-dasharray="4 3"/>`,
    )
  }
  const legend = [one === null ? '' : `Dashed line: ${one} = 1.`, note].filter(Boolean).join(' ')
  texts.push(text(PAD, bottom + 24, legend, { fill: theme.quiet }))
  const height = bottom + FOOT - PAD
  const described = groups.map((group) => `${group.title}: ${listed(group.bars, unit)}.`).join(' ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="13">
<title id="title">${escaped(title)}</title>
<desc id="description">${escaped(`${legend} ${described}`)}</desc>
<rect width="${WIDTH}" height="${height}" rx="8" fill="${theme.page}"/>
${[...shapes, ...texts].join('\n')}
</svg>
`
}

/** The bars as a sentence. */
export function listed(bars: readonly Bar[], unit: string): string {
  return bars.map(({ label, value }) => `${label} ${shown(value, unit)}${unit}`).join(', ')
}

function text(x: number, y: number, content: string, attributes: Record<string, string>): string {
  const all = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
  return `<text x="${x}" y="${y}"${all.join('')}>${escaped(content)}</text>`
}

/** A figure as the tables have it. */
export function shown(value: number, unit: string): string {
  return unit === ' s' ? String(value) : value.toFixed(2)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
