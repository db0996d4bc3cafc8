import type { Platform } from '../../model/types.ts'

/** Where a package leads its users: the fields that registries show. */
export interface Links {
  homepage: string
  /** The folder of the source code. */
  source: string
  issues: string
  /** Null for a package for another contract, which has neither. */
  documentation: string | null
  changelog: string | null
}

/**
 * The links of a package; null where its repository is not known.
 *
 * @param folder The folder of the package in this repository; null for a package for another contract.
 */
export function linksOf(platform: Platform, folder: string | null): Links | null {
  const repository = folder === null ? platform.repository : repositoryOf(platform)
  if (!repository) return null
  const source = folder === null ? repository : `${repository}/tree/main/${folder}`
  return {
    homepage: `${source}#readme`,
    source,
    issues: `${repository}/issues`,
    documentation: folder && `${repository}/tree/main/docs`,
    changelog: folder && `${repository}/blob/main/${folder}/CHANGELOG.md`,
  }
}

/** The address of this repository. The path of its Go module begins with it: host, owner and name. */
export function repositoryOf({ repository, goModule }: Platform): string {
  return repository ?? `https://${goModule.split('/').slice(0, 3).join('/')}`
}

/** A link to a file or folder outside the package, by its path from the root of this repository. */
const OUTSIDE = /\[([^\]]*)\]\(\.\.\/\.\.\/([^)]*)\)/g

/**
 * Replaces the links that lead out of a package, because a registry shows its README alone. Before the
 * packages are published, no one owns the address of the repository, so the text names the path instead.
 */
export function withoutOutside(readme: string, repository: string | null): string {
  return readme.replace(OUTSIDE, (_, text: string, path: string) => {
    if (repository) return `[${text}](${repository}/blob/main/${path})`
    return text === path
      ? `\`${path}\` in the repository`
      : `${text} (\`${path}\` in the repository)`
  })
}

/** The section of a README that lists the links; pkg.go.dev shows it beside a module. */
export function linksSection({ source, issues, documentation, changelog }: Links): string {
  const links = {
    Source: source,
    Documentation: documentation,
    Changelog: changelog,
    Issues: issues,
  }
  const lines = Object.entries(links).flatMap(([name, url]) => (url ? [`- [${name}](${url})`] : []))
  return ['', '## Links', '', ...lines, ''].join('\n')
}
