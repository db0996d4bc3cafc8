import { LANGUAGES } from '../../languages.ts'
import type { Version } from '../witnesses/witness.ts'

/** A block of code of a guide. */
export interface Block {
  /** The anchor of its entry. */
  entry: string
  language: string
  /** The versions for which the guide shows it. */
  versions: Version[]
  code: string
}

const LABELS: Readonly<Record<string, Version[]>> = {
  'Before:': ['before'],
  'After:': ['after'],
  'Before and after:': ['before', 'after'],
}

/** The code of a guide. Every block has a label. */
export function blocksIn(guide: string): Block[] {
  return guide.split(/^(?=<a id=")/m).flatMap((entry) => {
    const [, id] = /^<a id="([^"]+)"/.exec(entry) ?? []
    const blocks = [...entry.matchAll(/^(.*)\n\n```(\w+)\n([\s\S]*?)^```$/gm)]
    return blocks.map(([, label = '', fence, code = '']) => {
      const language = LANGUAGES.find((one) => one.fence === fence)?.name
      const versions = LABELS[label]
      if (!id || !language || !versions) throw new Error(`A block without its entry: ${code}`)
      return { entry: id, language, versions, code }
    })
  })
}
