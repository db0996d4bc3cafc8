/**
 * Which pages the site has, and where each stands. A group of the navigation is a list of files, from the root of the
 * repository; a pattern stands for the files that no other line names.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LANGUAGES } from '../../../scripts/languages.ts'

export interface Group {
  label: string
  /** Files and patterns, in their order. */
  files: readonly string[]
  /** A page whose links to files beside it belong to the group too. */
  linked?: string
  groups?: readonly Group[]
}

export interface Page {
  /** From the root of the repository. */
  file: string
  /** The path on the site, without slashes around it; empty for the first page. */
  slug: string
}

/** A group with its files found. */
export interface Section {
  label: string
  pages: readonly Page[]
  sections: readonly Section[]
}

const NAMES = LANGUAGES.map(({ name }) => name)

export const HOME = 'docs/README.md'

export const GROUPS: readonly Group[] = [
  { label: 'Start', files: [HOME, 'docs/start.md', 'docs/agents.md'] },
  {
    label: 'Guides',
    files: [],
    groups: [
      {
        label: 'Call the API',
        files: ['docs/guides/{options,pagination,errors,sending}.md', 'docs/guides/*.md'],
      },
      {
        label: 'Receive webhooks',
        files: ['docs/webhooks.md', 'docs/webhooks/{once,testing,diagnosis}.md'],
        groups: [
          {
            label: 'TypeScript',
            files: ['docs/webhooks/typescript.md'],
            linked: 'docs/webhooks/typescript.md',
          },
          {
            label: 'Python',
            files: ['docs/webhooks/python.md'],
            linked: 'docs/webhooks/python.md',
          },
          { label: 'Ruby', files: ['docs/webhooks/ruby.md'], linked: 'docs/webhooks/ruby.md' },
          { label: 'Go', files: ['docs/webhooks/go.md'], linked: 'docs/webhooks/go.md' },
        ],
      },
      {
        label: 'Test your integration',
        files: ['docs/sandbox.md', 'docs/sandbox/*.md', 'docs/certify.md'],
      },
      { label: 'Upgrade', files: ['docs/upgrading.md'] },
      { label: 'Host a sandbox', files: ['docs/operating.md', 'deploy/README.md'] },
    ],
  },
  {
    label: 'Reference',
    files: ['docs/reference/README.md', 'docs/reference/resources/*.md', 'docs/reference/*.md'],
    groups: [{ label: 'Behavior', files: ['docs/promises.md', 'docs/assumptions.md'] }],
  },
  {
    label: 'SDKs',
    files: [...NAMES.map((name) => `sdks/${name}/README.md`)],
    groups: [
      {
        label: 'API of the SDKs',
        files: ['docs/api/README.md'],
        groups: LANGUAGES.map(({ name, title }) => ({
          label: title,
          files: [`docs/api/${name}/client.md`, `docs/api/${name}/*.md`],
        })),
      },
      {
        label: 'Examples',
        files: ['examples/README.md', ...NAMES.map((name) => `examples/${name}/README.md`)],
      },
    ],
  },
  { label: 'Mock server', files: ['mock-server/README.md', 'docs/mock-server/*.md'] },
  {
    label: 'Changes',
    files: [...NAMES.map((name) => `sdks/${name}/CHANGELOG.md`), 'mock-server/CHANGELOG.md'],
  },
  { label: 'Measurements', files: ['docs/measurements.md', 'bench/README.md'] },
  {
    label: 'For maintainers',
    files: [
      'CONTRIBUTING.md',
      'docs/decisions/README.md',
      'docs/decisions/*.md',
      'docs/*.md',
      'sdks/conformance/README.md',
    ],
  },
]

/** What the navigation calls a page whose title is the name of a package. */
export function labelOf({ file }: Page): string | undefined {
  if (file === HOME) return 'Overview'
  if (/^mock-server\/(?:README|CHANGELOG)/.test(file)) return 'Mock server'
  const [, name] = /^(?:sdks|examples)\/(\w+)\//.exec(file) ?? []
  return LANGUAGES.find((language) => language.name === name)?.title
}

/** The sections of the navigation, with each file under its first group. */
export function sectionsOf(root: string, groups: readonly Group[] = GROUPS): Section[] {
  const named = new Set(everyFile(groups).filter((file) => !isPattern(file)))
  const taken = new Set<string>()
  const find = (pattern: string): string[] => {
    if (!isPattern(pattern)) return existsSync(join(root, pattern)) ? [pattern] : []
    return globSync(pattern, { cwd: root })
      .sort()
      .filter((file) => !named.has(file))
  }
  const section = ({ label, files, linked, groups = [] }: Group): Section => {
    const found = [...files.flatMap(find), ...(linked ? siblingsIn(root, linked) : [])]
    const own = [...new Set(found)].filter((file) => !taken.has(file))
    for (const file of own) taken.add(file)
    // The groups beneath take their files before a pattern that follows does.
    return {
      label,
      pages: own.map((file) => ({ file, slug: slugOf(file) })),
      sections: groups.map(section),
    }
  }
  return groups.map(section)
}

export function pagesOf(sections: readonly Section[]): Page[] {
  return sections.flatMap(({ pages, sections }) => [...pages, ...pagesOf(sections)])
}

/** `docs/x/y.md` is at `x/y`, and `x/README.md` at `x`. */
export function slugOf(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()
}

function everyFile(groups: readonly Group[]): string[] {
  return groups.flatMap(({ files, groups = [] }) => [...files, ...everyFile(groups)])
}

function isPattern(file: string): boolean {
  return /[*{]/.test(file)
}

/** The files of the same folder that a page links to, in the order of its links. */
function siblingsIn(root: string, file: string): string[] {
  const links = readFileSync(join(root, file), 'utf8').matchAll(/\]\((?<name>[\w-]+\.md)\)/g)
  return [...new Set([...links].map(({ groups }) => join(dirname(file), groups?.name ?? '')))]
}
