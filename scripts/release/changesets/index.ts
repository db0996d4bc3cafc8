import { repositoryOf } from '../../emit/core/links.ts'
import { packagesOf } from '../packages.ts'
import type { Part } from '../part.ts'
import { BUMPS, bumpOf, highest, type Item, itemsOf } from './items.ts'
import { FOLDER, type Pending, pendingOf, written } from './pending.ts'
import { summaryOf } from './text.ts'

/**
 * The changesets of a difference: one for each package whose users it concerns. What somebody described
 * in a changeset by hand is left out.
 */
export const changesets: Part = {
  own: (root) => pendingOf(root).flatMap(({ path }) => (OWN.test(path) ? [path] : [])),
  files({ before, after, changes }, root) {
    const { platform } = after.api
    const repository = platform.published ? repositoryOf(platform) : null
    const pending = pendingOf(root)
    const byHand = pending.filter(({ path }) => !OWN.test(path))
    const files = packagesOf(root).flatMap((one): Array<[string, string]> => {
      const { name, version, slug } = one
      const items = itemsOf(one, changes).filter((item) => {
        const least = BUMPS.indexOf(bumpOf(item, version))
        const isEnough = ({ bumps }: Pending) => BUMPS.indexOf(bumps.get(name) ?? 'none') >= least
        return !byHand.some((other) => isEnough(other) && describes(other, item))
      })
      if (items.length === 0) return []
      const path = `${FOLDER}/contract-since-${slugOf(before.name)}-${slug}.md`
      const summary = summaryOf(one, items, repository)
      // A bump that somebody raised stays while the text does.
      const known = pending.find((other) => other.path === path && other.summary === summary)
      const bumps = [
        ...items.map((item) => bumpOf(item, version)),
        known?.bumps.get(name) ?? 'none',
      ]
      return [[path, written(name, highest(bumps), summary)]]
    })
    return new Map(files)
  },
}

const OWN = /\/contract-since-[\w.-]+\.md$/

function slugOf(revision: string): string {
  return revision.replace(/[^\w.]+/g, '-').replace(/^-|-$/g, '')
}

/**
 * Whether a text names a change: by its fingerprint, or by the changed part as code. A part whose name is
 * an ordinary word, like `timeout`, has to be named by its fingerprint.
 */
function describes({ summary }: Pending, { change, subject }: Item): boolean {
  if (summary.includes(change.fingerprint)) return true
  return !/^\w+$/.test(subject) && summary.includes(`\`${subject}\``)
}
