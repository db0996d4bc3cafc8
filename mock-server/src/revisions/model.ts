/** Which revision of the contract gives the shared state its ids and its first data. */
import { project } from '../contract/projection.ts'
import type { Bindings, Ids } from '../sandbox/bindings.ts'

const SORTS = ['conversation', 'message', 'source', 'event'] satisfies Array<keyof Ids>

/** The first revision whose ids every other one can show as they are, else the first one. */
export function modelOf(revisions: readonly [Bindings, ...Bindings[]]): Bindings {
  if (revisions.length === 1) return revisions[0]
  const fits = (ids: Record<keyof Ids, string>) =>
    revisions.every(({ idShapes }) =>
      SORTS.every((sort) => {
        const { [sort]: shape } = idShapes
        // A number is shown for the text of a number.
        return !shape || String(project(shape, ids[sort], [], () => {})) === ids[sort]
      }),
    )
  return revisions.find((one) => fits(one.sampleIds())) ?? revisions[0]
}
