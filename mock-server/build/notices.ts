import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

interface Notice {
  name: string
  version: string
  license: string
  text: string
}

/**
 * Writes the licences of all bundled software.
 *
 * @param folders The packages' folders; repeated ones count once.
 * @throws {Error} where a package says nothing about its licence.
 */
export function thirdPartyNotices(folders: string[]): string {
  const notices = [...new Set(folders)].filter((folder) => folder !== '').map(noticeOf)
  const byName = (a: Notice, b: Notice) =>
    a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1
  const sections = notices
    .sort(byName)
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`)
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return ['This package contains the following software.', ...sections].join(rule).concat('\n')
}

/** The folder of the package that a file belongs to, empty for a file of our own. */
export function packageFolder(file: string): string {
  const steps = file.split(/[\\/]/)
  const at = steps.lastIndexOf('node_modules')
  if (at < 0) return ''
  return steps.slice(0, at + (steps[at + 1]?.startsWith('@') ? 3 : 2)).join(sep)
}

function noticeOf(folder: string): Notice {
  const { name, version, license, licenses } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const declared = license?.type ?? license ?? licenses?.[0]?.type
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry))
  if (!declared && files.length === 0) throw new Error(`${name} ${version} has no licence.`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const text = texts.join('\n\n') || `Licence: ${declared}`
  return { name, version, license: declared ?? 'see below', text: text.replaceAll('\r\n', '\n') }
}
