import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import {
  type Links,
  linksOf,
  linksSection,
  repositoryOf,
  withoutOutside,
} from '../emit/core/links.ts'
import { LANGUAGES, loadGenerators } from '../languages.ts'
import type { Platform } from '../model/types.ts'
import { ROOT, readRoot, readRuntime } from '../repository.ts'
import { modelOf } from './support.ts'

const ours = await modelOf(join(ROOT, 'openapi.yaml'))
const generators = await loadGenerators()
const PACKAGES = [...LANGUAGES.map(({ name }) => `sdks/${name}`), 'mock-server']
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The links in the metadata of a package, by the fields of its registry. Go has none but its path. */
const METADATA: Record<string, (text: string) => Record<string, unknown>> = {
  'package.json': (text) => {
    const { homepage, repository, bugs } = JSON.parse(text)
    return { homepage, repository, bugs }
  },
  'pyproject.toml': (text) => {
    const [, section = ''] = /^\[project\.urls\]\n((?:.+\n)+)/m.exec(text) ?? []
    return Object.fromEntries(
      [...section.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, ...pair]) => pair),
    )
  },
  'support_chat.gemspec': (text) =>
    Object.fromEntries(
      [...text.matchAll(/^ {2}spec\.(?:metadata\[")?(homepage|\w+_uri)(?:"\])? = "(.*)"$/gm)].map(
        ([, ...pair]) => pair,
      ),
    ),
}

function npm(links: Links, repository: string, directory?: string) {
  const where = { type: 'git', url: `git+${repository}.git`, ...(directory && { directory }) }
  return { homepage: links.homepage, repository: where, bugs: links.issues }
}

function python({ homepage, source, documentation, changelog, issues }: Links) {
  const all = { Homepage: homepage, Source: source, Documentation: documentation }
  return given({ ...all, Changelog: changelog, Issues: issues })
}

function ruby({ homepage, source, documentation, changelog, issues }: Links) {
  const all = { homepage, source_code_uri: source, documentation_uri: documentation }
  return given({ ...all, changelog_uri: changelog, bug_tracker_uri: issues })
}

const given = (links: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(links).filter(([, url]) => url !== null))

const FILES = [
  ['sdks/typescript', 'package.json', npm],
  ['mock-server', 'package.json', npm],
  ['sdks/python', 'pyproject.toml', python],
  ['sdks/ruby', 'support_chat.gemspec', ruby],
] as const

describe('the links of a package', () => {
  it.each(FILES)('%s/%s are those of names.yaml', (folder, file, fields) => {
    const links = linksOf(ours.platform, folder)
    if (!links) throw new Error('no repository')
    const repository = repositoryOf(ours.platform)
    expect(METADATA[file]?.(read(`${folder}/${file}`))).toEqual(fields(links, repository, folder))
  })

  it.each(FILES.filter(([folder]) => folder !== 'mock-server'))(
    '%s/%s for another contract are those of its names, if these have a repository',
    (folder, file, fields) => {
      const emitted = (platform: Platform) => METADATA[file]?.(packageFile(folder, file, platform))
      const acme = { ...ours.platform, repository: 'https://github.com/acme/shop' }
      const links = linksOf(acme, null)
      if (!links) throw new Error('no repository')
      expect(emitted(acme)).toEqual(fields(links, acme.repository))
      const none = Object.values(emitted(ours.platform) ?? {}).filter(
        (value) => value !== undefined,
      )
      expect(none).toEqual([])
    },
  )

  it('stand in the README of a package that is published, as Go has no other place for them', () => {
    const links = linksOf(
      { ...ours.platform, repository: 'https://github.com/acme/shop' },
      'sdks/go',
    )
    expect(links && linksSection(links)).toBe(`
## Links

- [Source](https://github.com/acme/shop/tree/main/sdks/go)
- [Documentation](https://github.com/acme/shop/tree/main/docs)
- [Changelog](https://github.com/acme/shop/blob/main/sdks/go/CHANGELOG.md)
- [Issues](https://github.com/acme/shop/issues)
`)
  })
})

describe('a README that is shipped', () => {
  it.each(PACKAGES)('in %s has no link that leaves the package', (folder) => {
    const urls = urlsIn(fromMarkdown(read(`${folder}/README.md`), SYNTAX))
    const relative = urls.filter((url) => !/^(?:https:\/\/|#)/.test(url))
    expect(relative.filter((url) => !existsSync(join(ROOT, folder, url)))).toEqual([])
    expect(relative.filter((url) => url.startsWith('..'))).toEqual([])
  })

  it('links to the repository where somebody owns that', () => {
    const text = '[docs/a.md](../../docs/a.md), [the guide](../../docs/b.md#c), [d](d.md).'
    expect(withoutOutside(text, 'https://github.com/acme/shop')).toBe(
      '[docs/a.md](https://github.com/acme/shop/blob/main/docs/a.md), ' +
        '[the guide](https://github.com/acme/shop/blob/main/docs/b.md#c), [d](d.md).',
    )
    expect(withoutOutside(text, null)).toBe(
      '`docs/a.md` in the repository, the guide (`docs/b.md#c` in the repository), [d](d.md).',
    )
  })
})

it.each(PACKAGES)('%s holds its changes and its licence', (folder) => {
  expect(read(`${folder}/CHANGELOG.md`)).toMatch(/^# .+\n\n## \d+\.\d+\.\d+\n/)
  expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'))
})

const SYNTAX = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

interface Node {
  type: string
  url?: string
  children?: Node[]
}

function urlsIn({ url, children = [] }: Node): string[] {
  return [...(url === undefined ? [] : [url]), ...children.flatMap(urlsIn)]
}

/** A file of a package for another contract. */
function packageFile(folder: string, file: string, platform: Platform): string {
  const [language, generator] =
    [...generators].find(([{ name }]) => folder === `sdks/${name}`) ?? []
  if (!language || !generator) throw new Error(`${folder} is no package of a language`)
  const files = generator.packageFiles(
    { ...ours, platform },
    readRuntime(language),
    readRoot(language),
  )
  return files.find(({ path }) => path === file)?.content ?? ''
}
