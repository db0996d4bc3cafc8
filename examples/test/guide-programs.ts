/** What a guide says in blocks of code. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** A block of code. One that is a file names itself in its first line, with what starts or runs it. */
export interface Block {
  fence: string
  code: string
  file?: string | undefined
  /** `started`: a receiver; `run`: what has to end well. */
  use?: 'started' | 'run' | undefined
  command?: string | undefined
}

const NAMED = /^(?:\/\/|#) ([\w.-]+\.\w+)(?:, (started|run) with: (.*))?\n/

export async function blocksOf(file: string): Promise<Block[]> {
  const text = await readFile(file, 'utf8')
  return Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), ([, fence = '', code = '']) => {
    const [, name, use, command] = NAMED.exec(code) ?? []
    return { fence, code, file: name, use: use as Block['use'], command }
  })
}

/**
 * A program with one of its lines replaced: that which begins a variable as the block does. What stands
 * before that line in the block are imports.
 */
export function patched(program: string, block: string): string {
  const lines = block.trim().split('\n')
  const placesOf = (line: string) => {
    const variable = /^.*?=/.exec(line)?.[0]
    return program.split('\n').filter((one) => variable && one.trim().startsWith(variable))
  }
  const start = lines.findIndex((line) => placesOf(line).length > 0)
  const [place = '', ...others] = placesOf(lines[start] ?? '')
  if (place === '' || others.length > 0) throw new Error(`Where is this to go?\n${block}`)
  const replaced = program.replace(place.trim(), () => lines.slice(start).join('\n'))
  return [...lines.slice(0, start), replaced].join('\n')
}

/** The commands of a console block: each command, with what it prints. */
export function sessionOf(code: string): { commands: string[]; printed: string } {
  const lines = code.split('\n')
  const isCommand = (line: string) => line.startsWith('$ ')
  return {
    commands: lines.filter(isCommand).map((line) => line.slice(2)),
    printed: lines.filter((line) => !isCommand(line)).join('\n'),
  }
}

/** The commands of a console block, each with what it prints itself. */
export function commandsOf(code: string): { command: string; printed: string }[] {
  const parts = code.split(/^\$ /m).slice(1)
  return parts.map((part) => {
    const [command = '', ...printed] = part.split('\n')
    return { command, printed: printed.join('\n') }
  })
}

/**
 * What matches a text that a guide shows: `…` stands for anything within a line, and spaces for any number of them.
 *
 * @param flags `m` for lines of a longer text.
 */
export function shown(text: string, flags = ''): RegExp {
  const lines = text.trim().split('\n')
  const patterns = lines.map((line) =>
    line
      .trim()
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replace(/ +/g, ' +')
      .replaceAll('…', '.*'),
  )
  return new RegExp(`^${patterns.join(' *\\n *')} *$`, flags)
}

/** The request that a block of HTTP shows. */
export function requestOf(code: string): { headers: Record<string, string>; body: string } {
  const [head = '', body = ''] = code.trimEnd().split('\n\n')
  const [, ...lines] = head.split('\n')
  return { headers: Object.fromEntries(lines.map((line) => line.split(': '))), body }
}

/** Where a guide links to, and which of that is not there. */
export async function linksOf(file: string): Promise<{ links: string[]; broken: string[] }> {
  const text = await readFile(file, 'utf8')
  const links = Array.from(text.matchAll(/\]\((?!https?:)(.*?)\)/g), ([, link = '']) => link)
  const found = await Promise.all(links.map((link) => isThere(file, link)))
  return { links, broken: links.filter((_, index) => !found[index]) }
}

async function isThere(file: string, link: string): Promise<boolean> {
  const [name = '', anchor] = link.split('#')
  const target = name === '' ? file : path.join(path.dirname(file), name)
  if (!existsSync(target)) return false
  if (anchor === undefined) return true
  // A folder shows its README.
  const page = target.endsWith('.md') ? target : path.join(target, 'README.md')
  const headings = (await readFile(page, 'utf8')).matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, heading = '']) => anchorOf(heading)).includes(anchor)
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}
