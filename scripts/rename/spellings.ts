import { repositoryOf } from '../emit/core/links.ts'
import { product } from '../emit/core/names.ts'
import { spelled } from '../lower/platform.ts'
import type { Platform } from '../model/types.ts'
import { words } from '../model/words.ts'

/** Texts beside a spelling that show which name it is. */
interface Signs {
  before?: RegExp
  after?: RegExp
  /** Whether nothing is this name without such a text. */
  isRare?: boolean
}

/** How a name is spelled in files and paths, and how it will be. */
export interface Spelling extends Signs {
  /** The name, as messages call it. */
  name: string
  old: string
  new: string
  /** The language whose files mean this name, where several names are spelled alike. */
  language: string | null
}

/** Every spelling of every name. A repository can have more names than `names.yaml`. */
export function spellingsOf(from: Platform, to: Platform): Spelling[] {
  const spelling = (
    name: string,
    of: (platform: Platform) => string,
    language: string | null = null,
    signs: Signs = {},
  ): Spelling => ({ name, old: of(from), new: of(to), language, ...signs })
  const all = [
    spelling('go_module', ({ goModule }) => goModule),
    spelling('repository', (platform) => repositoryOf(platform).replace('https://', '')),
    spelling('npm', ({ npm }) => npm),
    spelling('mock_npm', ({ mockNpm }) => mockNpm),
    spelling('npm', ({ npm }) => packed(npm), null, { after: /^-(?:\d|\*)/, isRare: true }),
    spelling('mock_npm', ({ mockNpm }) => packed(mockNpm), null, {
      after: /^-(?:\d|\*)/,
      isRare: true,
    }),
    spelling('npm', (platform) => `${scope(platform)}/`),
    spelling('env_prefix', ({ envPrefix }) => envPrefix),
    // In the names of metrics.
    spelling('env_prefix', ({ envPrefix }) => envPrefix.toLowerCase(), null, {
      after: /^_mock_/,
      isRare: true,
    }),
    spelling('title', ({ title }) => title),
    spelling('title', product, null, { after: /^-(?:mock|typescript|python|ruby|go)\b/ }),
    // As tests look for it where no name may be.
    spelling('title', (platform) => product(platform).replaceAll('-', '.?')),
    spelling('client', ({ client }) => client),
    spelling('ruby_module', ({ rubyModule }) => rubyModule, 'ruby', { after: /^::/ }),
    spelling('pypi', ({ pypi }) => pypi, 'python', { before: /\b(?:pip install|uv add) \S*$/ }),
    spelling('pypi', ({ pypi }) => pypi.replaceAll('-', '_'), null, {
      after: /^-(?:[\d*](?!\S*\.gem\b)|[^-\s]*(?:\.whl|\.tar\.gz))/,
      isRare: true,
    }),
    spelling('python_import', ({ pythonImport }) => pythonImport, 'python', {
      before: /(?:src\/|\b(?:from|import|-m) |\bstartswith\(["'])$/,
      after: /^\.(?!gem|rb\b)[a-z]/,
    }),
    spelling('gem', ({ gem }) => gem, 'ruby', {
      before: /(?:lib\/|(?:gem|require) ["']|-r)$/,
      after: /^(?:\.(?:gemspec|gem|rb)|-[\d*]\S*\.gem)\b/,
    }),
  ]
  const special = new Set(all.map(({ name }) => name))
  const [old, fresh] = [spelled(from), spelled(to)]
  const others = Object.keys(fresh).filter((name) => !special.has(name) && old[name] !== undefined)
  return [...all, ...others.map((name) => spelling(name, (one) => String(spelled(one)[name])))]
}

/** What npm calls the archive of a package: `@acme/client` → `acme-client`. */
function packed(npm: string): string {
  return npm.replace(/^@/, '').replace('/', '-')
}

/** The scope of the packages that the workspaces of this repository are. */
function scope(platform: Platform): string {
  return /^@[^/]+/.exec(platform.npm)?.[0] ?? `@${product(platform)}`
}

/**
 * Finds texts, the longest first. A text of one word must stand alone, or as a part of a name like
 * `AsyncAcme` or `acmetest`. A text of several words can be nothing else wherever it stands.
 */
export function finder(texts: readonly string[]): RegExp {
  const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length)
  const compounds = new Set(longestFirst.filter(isCompound).map(folded))
  const alternatives = longestFirst.map((text) =>
    compounds.has(folded(text)) ? literal(text) : alone(text),
  )
  return new RegExp(alternatives.join('|'), 'g')
}

/** What is left of a name of several words in a form that no rule knows, or over two lines. */
export function leftoverFinder(texts: readonly string[]): RegExp | null {
  const names = texts.filter((text) => isCompound(text) && !/[@/.]/.test(text))
  const forms = names.map((text) => words(text).map(literal))
  const patterns = forms.flatMap((form) => [
    form.join('[^A-Za-z0-9\\s]{0,3}'),
    `(?-i:${form.map(capitalized).join('[ \\t]*\\n[ \\t#*/>]*')})`,
  ])
  return patterns.length === 0 ? null : new RegExp([...new Set(patterns)].join('|'), 'gi')
}

function isCompound(text: string): boolean {
  return words(text).length > 1
}

function folded(text: string): string {
  return words(text).join('').toLowerCase()
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
}

function alone(text: string): string {
  // Before the text may be an escape like `\t`, whose letter is none of a word.
  const start = '(?:(?<![A-Za-z])|(?<=\\\\[A-Za-z]))'
  const ofConstants = /^[A-Z0-9_]+$/.test(text)
  const inMixedCase = /^[A-Z]/.test(text) && !ofConstants
  const before = !/^[A-Za-z]/.test(text) ? '' : inMixedCase ? '(?<![A-Z])' : start
  const end = inMixedCase ? '(?![a-z])' : '(?![A-Za-z])'
  const after = !/[A-Za-z]$/.test(text) ? '' : /[A-Z]/.test(text) ? end : `(?:(?=test|otel)|${end})`
  return `${before}${literal(text)}${after}`
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
