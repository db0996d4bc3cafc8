import type { OutFile, Sources } from '../emit/core/file.ts'
import type { Language } from '../emit/core/language.ts'
import { type Links, linksOf } from '../emit/core/links.ts'
import { type Edition, emitReadme } from '../emit/core/readme.ts'
import type { Snippet } from '../emit/core/snippets.ts'
import type { Api, Refusal } from '../model/types.ts'
import { readRoot, readRuntime, readTemplates } from '../repository.ts'

export interface Settings {
  /** Whether the packages are those of this repository, which have a part by hand. */
  isOwn: boolean
  sources: Sources
}

/** Makes the packages of one language. */
export interface Maker {
  /** Names that the language cannot give. */
  nameClashes(api: Api): Promise<Refusal[]>
  /** All files of a package, with their folders. */
  makePackage(api: Api, settings: Settings): Promise<OutFile[]>
  /** Code for pages, one text per snippet. */
  writeSnippets(snippets: readonly Snippet[], api: Api): Promise<string[]>
}

/** Loads what makes the packages of a language. */
export async function loadMaker(language: Language): Promise<Maker> {
  const generator = await language.load()
  const { emit, nameClashes, readmeSlots, writeSnippet, formatCode, packageFiles } = generator
  return {
    nameClashes: async (api) => nameClashes(api),
    writeSnippets: async (snippets, api) => snippets.map((snippet) => writeSnippet(snippet, api)),
    async makePackage(api, { isOwn, sources }) {
      const generated = await emit(api, sources)
      const templates = readTemplates(language)
      const links = linksOf(api.platform, isOwn ? `sdks/${language.name}` : null)
      const slots = readmeSlots(api)
      const formatter = formatCode ? { fence: language.fence, format: formatCode } : null
      const readme = (edition: Edition, links: Links | null, path?: string) =>
        emitReadme(templates[edition], slots, sources, api.platform, links, formatter, path)
      if (isOwn) {
        const pages = [readme('repository', links), readme('agents', null, 'AGENTS.md')]
        return within(`sdks/${language.name}`, [...generated, ...pages])
      }
      const shared = packageFiles(api, readRuntime(language), readRoot(language))
      return within(language.name, [...generated, readme('package', links), ...shared])
    },
  }
}

function within(folder: string, files: readonly OutFile[]): OutFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }))
}
