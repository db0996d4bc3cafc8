/** A badge of the score as a small SVG. */
import { html } from 'hono/html'
import type { Report } from './types.ts'

/** From which score on a colour is used. White text is readable on each. */
const COLOURS: ReadonlyArray<[from: number, colour: string]> = [
  [100, '#1a7f37'],
  [80, '#9a6700'],
  [0, '#cf222e'],
]
/** About as wide as a character is at this size. */
const CHARACTER = 6.6
const PADDING = 14
const HEIGHT = 20

export function badgeOf({ side, score }: Pick<Report, 'side' | 'score'>): string {
  const name = `${side} check`
  const value = `${score.percent} %`
  const [left, right] = [name, value].map((text) => Math.round(text.length * CHARACTER) + PADDING)
  const [, colour] = COLOURS.find(([from]) => score.percent >= from) ?? ['', '#cf222e']
  const width = (left ?? 0) + (right ?? 0)
  const text = (at: number, content: string) =>
    html`<text x="${at}" y="14" text-anchor="middle">${content}</text>`
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}: ${value}">
<title>${name}: ${value}</title>
<clipPath id="round"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="${HEIGHT}" fill="#424a53"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text((left ?? 0) / 2, name)}${text((left ?? 0) + (right ?? 0) / 2, value)}</g>
</svg>`}\n`
}
