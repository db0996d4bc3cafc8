/** What a guide says in blocks of code. */
import { readFile } from 'node:fs/promises'

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

/** A program with some of its lines replaced: those that begin a variable as the block does. */
export function patched(program: string, block: string): string {
  const lines = block.trim().split('\n')
  const imports = lines.slice(0, -1)
  const line = lines.at(-1) ?? ''
  const variable = /^.*?=/.exec(line)?.[0] ?? ''
  const places = program.split('\n').filter((one) => one.trim().startsWith(variable))
  if (variable === '' || places.length !== 1) throw new Error(`Where is this to go?\n${block}`)
  return [...imports, program.replace(places[0]?.trim() ?? '', () => line)].join('\n')
}

/** The requests and answers of a console block: each command, with what it prints. */
export function sessionOf(code: string): { commands: string[]; printed: string } {
  const lines = code.split('\n')
  const isCommand = (line: string) => line.startsWith('$ ')
  return {
    commands: lines.filter(isCommand).map((line) => line.slice(2)),
    printed: lines.filter((line) => !isCommand(line)).join('\n'),
  }
}

/** The request that a block of HTTP shows. */
export function requestOf(code: string): { headers: Record<string, string>; body: string } {
  const [head = '', body = ''] = code.trimEnd().split('\n\n')
  const [, ...lines] = head.split('\n')
  return { headers: Object.fromEntries(lines.map((line) => line.split(': '))), body }
}
