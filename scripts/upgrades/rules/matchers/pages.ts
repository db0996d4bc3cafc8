import { newOperation, oldOperations } from '../parts.ts'
import { given } from './arguments.ts'
import type { Matcher } from './scene.ts'

/** The parameters of pages, which the pagination of both revisions names. */
export const pageParameters: Matcher = (scene) => {
  const { part, pair } = scene
  const { before: from, after: to } = part.values ?? {}
  const now = newOperation(part, pair.after)
  return oldOperations(part, pair).flatMap((operation) => {
    const parameter = operation.queryParams.find(({ wire }) => wire === from)
    const renamed = now?.queryParams.find(({ wire }) => wire === to)
    if (!parameter || !renamed) return []
    const subject = { of: 'parameter', operation, parameter } as const
    const names = { from: parameter.wire, to: renamed.wire, certain: true }
    return given({ ...scene, part: { ...part, subject, renamed: names } })
  })
}
