/** Which lines of programs a change of the contract hits. */
import { readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import {
  AUDIENCES,
  type ByLanguage,
  EFFECTS,
  type Effect,
  LANGUAGES,
  type Language,
} from '@support-chat/scripts/changes'
import { findings, type Hit, type Rule, rulesFor } from '@support-chat/scripts/upgrades'
import { globby } from 'globby'
import { UnusableInput, type Upgrade } from './upgrade.ts'

/** A line that a change hits. */
export interface SourceHit {
  /** Relative to the working folder, where that is shorter. */
  file: string
  line: number
  column: number
  /** The line without its indentation. */
  code: string
  language: Language
  effects: Rule['effects']
  /** The worst of them. */
  effect: Effect
  /** False where the name alone says that the line is hit. */
  certain: boolean
  /** Whether a rule of `upgrades/<version>` rewrites it. */
  codemod: boolean
}

export interface SourceReport {
  path: string
  /** How many files of each language were read. */
  files: Partial<Record<Language, number>>
  /** Files that were not read, with the reason. */
  skipped: string[]
  /** By the fingerprint of the change. */
  hits: Map<string, SourceHit[]>
}

/** By the extension: the language, and whether JSX may stand in it. */
const EXTENSIONS: Record<string, { language: Language; jsx?: true }> = {
  '.ts': { language: 'typescript' },
  '.mts': { language: 'typescript' },
  '.cts': { language: 'typescript' },
  '.tsx': { language: 'typescript', jsx: true },
  '.js': { language: 'typescript', jsx: true },
  '.mjs': { language: 'typescript', jsx: true },
  '.cjs': { language: 'typescript', jsx: true },
  '.jsx': { language: 'typescript', jsx: true },
  '.py': { language: 'python' },
  '.rb': { language: 'ruby' },
  '.rake': { language: 'ruby' },
  '.ru': { language: 'ruby' },
  '.go': { language: 'go' },
}

/** Code of others, also where it is checked in. */
const FOREIGN = ['node_modules', 'bower_components', 'vendor', 'venv', 'site-packages']
/** People write no longer files. */
const MAX_BYTES = 1024 * 1024
const MAX_CODE = 160

/**
 * Finds what the changes hit below a path. Files that git ignores are left out.
 *
 * @throws {UnusableInput}
 */
export async function checkSources(upgrade: Upgrade, path: string): Promise<SourceReport> {
  const files = await filesIn(path)
  const rules = rulesOf(upgrade, new Set(files.flatMap((file) => kindOf(file)?.language ?? [])))
  const report: SourceReport = { path, files: {}, skipped: [], hits: new Map() }
  for (const file of files) await checkFile(file, rules, report)
  return report
}

async function filesIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new UnusableInput(`${path} does not exist. Name the folder of your program.`)
  if (found.isFile()) {
    if (kindOf(path)) return [path]
    const known = Object.keys(EXTENSIONS).join(', ')
    throw new UnusableInput(`${path} is no program: its name ends in none of ${known}.`)
  }
  const names = await globby(`**/*{${Object.keys(EXTENSIONS).join(',')}}`, {
    cwd: path,
    gitignore: true,
    ignore: FOREIGN.map((folder) => `**/${folder}/**`),
    followSymbolicLinks: false,
    suppressErrors: true,
  })
  return names.sort().map((name) => join(path, name))
}

/** The rules of the languages that are there. */
function rulesOf({ changes, before, after }: Upgrade, languages: ReadonlySet<Language>) {
  const all = changes.map(({ change }) => change)
  return Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      languages.has(language) ? rulesFor(all, before.revision, after.revision, language) : [],
    ]),
  ) as ByLanguage<Rule[]>
}

async function checkFile(
  file: string,
  rules: ByLanguage<Rule[]>,
  { files, skipped, hits }: SourceReport,
): Promise<void> {
  const { language, jsx = false } = kindOf(file) ?? { language: 'typescript' }
  const name = shown(file)
  const source = await read(file)
  if (source instanceof Error) {
    skipped.push(`${name} ${source.message}`)
    return
  }
  files[language] = (files[language] ?? 0) + 1
  const lines = source.split('\n')
  const seen = new Set<string>()
  for (const hit of await found(rules[language], language, source, jsx)) {
    const { rule, line, column, replacement } = hit
    // Several rules may find the same.
    const key = `${rule.fingerprint} ${line} ${column}`
    if (seen.has(key)) continue
    seen.add(key)
    const one: SourceHit = {
      file: name,
      line,
      column,
      code: shortened(lines[line - 1] ?? ''),
      language,
      effects: rule.effects,
      effect: worstOf(rule.effects),
      certain: rule.certain,
      codemod: replacement !== null,
    }
    const others = hits.get(rule.fingerprint)
    if (others) others.push(one)
    else hits.set(rule.fingerprint, [one])
  }
}

/** @throws {UnusableInput} if the parsers are not installed */
async function found(
  rules: Rule[],
  language: Language,
  source: string,
  jsx: boolean,
): Promise<Hit[]> {
  try {
    return await findings(rules, language, source, { jsx })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!/MODULE_NOT_FOUND/.test(code) && !/@ast-grep/.test(message)) throw error
    throw new UnusableInput(
      `Reading programs needs the parsers of ast-grep, which are 43 MB and not part of this package. Install them: npm install --save-dev ${PARSERS.join(' ')}`,
    )
  }
}

const PARSERS = ['napi', 'lang-python', 'lang-ruby', 'lang-go'].map((name) => `@ast-grep/${name}`)

async function read(file: string): Promise<string | Error> {
  try {
    const { size } = await stat(file)
    if (size > MAX_BYTES) return new Error('is larger than 1 MiB')
    return await readFile(file, 'utf8')
  } catch (error) {
    return new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function kindOf(file: string) {
  return EXTENSIONS[extname(basename(file)).toLowerCase()]
}

function worstOf(effects: Rule['effects']): Effect {
  const all = AUDIENCES.map((audience) => effects[audience])
  return EFFECTS.find((effect) => all.includes(effect)) ?? 'none'
}

function shortened(line: string): string {
  const code = line.trim()
  return code.length > MAX_CODE ? `${code.slice(0, MAX_CODE)}…` : code
}

function shown(file: string): string {
  const path = relative(process.cwd(), resolve(file))
  return path.startsWith('..') ? file : path
}
