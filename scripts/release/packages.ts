import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '../changes/types.ts'

/** A package that users get. All of them share one version. */
export interface Package {
  /** As files about it call it. */
  slug: string
  /** Null for the mock server, which programs in every language use. */
  language: Language | null
  name: string
  version: string
}

const FOLDERS = [
  ...LANGUAGES.map((language) => ({ slug: language, language, folder: `sdks/${language}` })),
  { slug: 'mock-server', language: null, folder: 'mock-server' },
]

/** The packages of a repository, by their manifests. */
export function packagesOf(root: string): Package[] {
  return FOLDERS.map(({ slug, language, folder }) => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    return { slug, language, name, version }
  })
}
