/** What the revisions of a contract are called. */
import { basename, extname } from 'node:path'

/** A contract and the file that it is in. */
interface Versioned {
  version: string
  file: string
}

/** What a header cannot hold, or what is not read the same everywhere. */
const UNSAFE = /[^\w.+~-]+/g

/**
 * The versions of contracts as their names; the names of their files where versions are equal. No two are
 * equal.
 */
export function namesOf(contracts: readonly Versioned[]): string[] {
  const versions = contracts.map(({ version }) => safe(version))
  const wanted = contracts.map(({ file }, index) => {
    const version = versions[index] ?? ''
    const isUnique = versions.filter((one) => one === version).length === 1
    return version !== '' && isUnique ? version : safe(basename(file, extname(file))) || 'contract'
  })
  const taken = new Set<string>()
  return wanted.map((name) => {
    let unique = name
    for (let number = 2; taken.has(unique); number++) unique = `${name}-${number}`
    taken.add(unique)
    return unique
  })
}

function safe(text: string): string {
  return text.trim().replace(UNSAFE, '-')
}
