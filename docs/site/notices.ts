/** The licenses of the programs that a built site contains. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BUNDLED = ['@astrojs/starlight', 'astro', 'astro-expressive-code', 'pagefind']

/** @param packages The folder in which they are installed. */
export function writeNotices(packages: string, site: string): void {
  const notices = BUNDLED.map((name) => {
    const { version } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
    return `${name} ${version}\n\n${licenseOf(join(packages, name)).trim()}`
  })
  writeFileSync(join(site, 'THIRD_PARTY_NOTICES.txt'), `${notices.join('\n\n---\n\n')}\n`)
}

/** A package has a file, or a folder with a file of the same name. */
function licenseOf(folder: string): string {
  const license = join(folder, 'LICENSE')
  return readFileSync(statSync(license).isDirectory() ? join(license, 'LICENSE') : license, 'utf8')
}
