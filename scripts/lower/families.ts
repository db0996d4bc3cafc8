import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Family } from '../model/types.ts'
import { type Problem, readYaml } from '../yaml/index.ts'

const text = { type: 'string' }
const reasons = { type: 'object', additionalProperties: { type: 'object', required: ['reason'] } }
const promise = { type: 'object', required: ['name'], properties: { name: text, differs: reasons } }
const SCHEMA = {
  type: 'object',
  required: ['about', 'cases'],
  properties: { about: text, cases: { type: 'array', items: promise } },
}

/** A file of cases, as far as its promises go; the suite checks the rest. */
interface Topic {
  about: string
  cases: Array<{ name: string; differs?: Record<string, { reason: string }> }>
}

/** Reads the promises that the conformance suite proves. */
export async function loadFamilies(
  folder: string,
): Promise<{ families: Family[]; problems: Problem[] }> {
  const files = globSync('cases/*/*.yaml', { cwd: folder }).sort()
  const loaded = await Promise.all(
    files.map(async (file) => ({ file, ...(await readYaml<Topic>(join(folder, file), SCHEMA)) })),
  )
  const problems = loaded.flatMap(({ problems }) => problems)
  const families = new Map<string, Family>()
  for (const { file, value } of loaded) {
    if (value === null) continue
    const name = dirname(file).split(/[\\/]/).at(-1) ?? ''
    const { about, cases } = value
    const promises = cases.map(({ name, differs = {} }) => ({
      name,
      differences: Object.entries(differs).map(([language, { reason }]) => ({ language, reason })),
    }))
    const family = families.get(name) ?? { name, topics: [] }
    family.topics.push({ about, promises })
    families.set(name, family)
  }
  return { families: [...families.values()], problems }
}
