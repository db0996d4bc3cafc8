import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isScalar, parseDocument, visit } from 'yaml'
import { HELP } from '../../scripts/cli.ts'
import { messages } from './messages.ts'

/** Documents whose descriptions people read in references, hovers and pages. */
const DOCUMENTS = ['openapi.yaml', 'mock-server/control.yaml', 'sdks/behavior.yaml']
/** Programs whose messages and pages people read. */
const PROGRAMS = 'mock-server/src/**/*.ts'
const PROSE = new Set([
  ...['description', 'summary', 'x-assumed', 'doc'],
  ...['hint', 'padded_secret', 'byte_order_mark', 'base64_body'],
  ...['not_sent', 'rejected', 'unknown'],
])

/** The texts outside of pages, by their origin: help of commands, descriptions of documents, messages of programs. */
export async function texts(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>([['npm run generate -- --help', indented(HELP)]])
  for (const command of commands(root)) {
    const args = [...(command === '' ? [] : [command]), '--help']
    found.set(`support-chat-mock ${args.join(' ')}`, indented(help(root, args)))
  }
  for (const path of DOCUMENTS) {
    found.set(path.replaceAll('/', ' '), descriptions(readFileSync(join(root, path), 'utf8')))
  }
  for (const path of globSync(PROGRAMS, { cwd: root }).sort()) {
    found.set(path.replaceAll('/', ' '), messages(readFileSync(join(root, path), 'utf8')))
  }
  return found
}

/** The names of the commands, and nothing for the program itself. */
export function commands(root: string): string[] {
  const listed = help(root, ['--help']).split(/^Commands:$/m)[1] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name)
  return ['', ...names.filter((name) => name !== 'help')]
}

/** @param columns Wide enough that no sentence is broken into two lines, if not given. */
export function help(root: string, args: readonly string[], columns = 10_000): string {
  const program = join(root, 'mock-server/bin.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: String(columns) },
  })
  if (status !== 0) throw new Error(`support-chat-mock ${args.join(' ')} failed:\n${stderr}`)
  return stdout
}

/** As paragraphs: in Markdown, what is indented would be code and not be read. Each line has its own. */
function indented(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*\$ /.test(line))
    .map((line) =>
      line.trim().replace(/^(?:-[\w-]+(?:, )?(?:--[\w-]+)?(?: <[\w ]+>)?|\S+) {2,}/, ''),
    )
    .join('\n\n')
}

/** Every description of a document, each with its line. */
function descriptions(yaml: string): string {
  const found: string[] = []
  visit(parseDocument(yaml), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || !PROSE.has(String(key.value))) return
      if (typeof value.value !== 'string') return
      found.push(value.value.replaceAll('<', '&lt;'))
    },
  })
  return found.join('\n\n')
}
