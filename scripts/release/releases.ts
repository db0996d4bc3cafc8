import { basename, dirname } from 'node:path'
import { Unreadable } from '../changes/unreadable.ts'
import { LANGUAGES } from '../languages.ts'
import { filesIn, needed, type Plan, textAt } from './files.ts'
import { VERSION_FILES, withVersion } from './version-files.ts'
import { keptWitnesses } from './witnesses.ts'

const GUIDE = 'docs/upgrading.md'
const NEXT = 'upgrades/next'
const names = LANGUAGES.map(({ name }) => name).join(',')
/** What users can name, and programs that must run until the report says that they do not. */
const SDK_FILES = `sdks/{${names}}/{api.*,README.md}`
const EXAMPLES = `examples/{${names}}/{README.md,{,src/,receiver/}*.{ts,py,rb,go}}`
const UNRELEASED = /^## Unreleased$/gm

/** How the files of a repository become those of a version. @throws Unreadable */
export function releaseOf(root: string, version: string): Plan {
  const versions = VERSION_FILES.map((where): [string, string] => {
    return [where.file, withVersion(needed(root, where.file), where, version)]
  })
  // A version that is released stays what it was.
  if (textAt(root, `contracts/${version}.yaml`) !== null) {
    return { write: new Map(versions), remove: [] }
  }
  const rules = filesIn(root, `${NEXT}/**/*`)
  const guide = textAt(root, GUIDE)
  const write = new Map([
    ...versions,
    [`contracts/${version}.yaml`, needed(root, 'openapi.yaml')],
    [`contracts/${version}.behavior.yaml`, needed(root, 'sdks/behavior.yaml')],
    [`contracts/${version}/witnesses.yaml`, keptWitnesses(root)],
    ...filesIn(root, SDK_FILES).map((path): [string, string] => {
      const language = basename(dirname(path))
      return [`contracts/${version}/${language}/${basename(path)}`, needed(root, path)]
    }),
    ...filesIn(root, EXAMPLES).map((path): [string, string] => {
      const [, language, ...rest] = path.split('/')
      return [`contracts/${version}/${language}/example/${rest.join('/')}`, needed(root, path)]
    }),
    ...rules.map((path): [string, string] => {
      const released = path.replace(NEXT, `upgrades/${version}`)
      return [released, needed(root, path).replaceAll(NEXT, `upgrades/${version}`)]
    }),
    ...(guide === null ? [] : [[GUIDE, titled(guide, version)] as const]),
  ])
  return { write, remove: rules }
}

function titled(guide: string, version: string): string {
  if ([...guide.matchAll(UNRELEASED)].length > 1) {
    throw new Unreadable(`${GUIDE} has several sections "Unreleased". Join them.`)
  }
  return guide.replace(UNRELEASED, `## ${version}`)
}
