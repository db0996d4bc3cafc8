import { readFile } from 'node:fs/promises'
import { CONTRACT } from '../assets.ts'
import { type KeyOrder, SORTED } from './json.ts'

/** The orders in which a sender may write the keys of an event. */
export async function keyOrders(): Promise<KeyOrder[]> {
  // Loaded here, since most deliveries do not need it.
  const { parseYaml } = await import('@redocly/openapi-core')
  const { webhooks } = parseYaml(await readFile(CONTRACT, 'utf8')) as { webhooks: object }
  const known = keyLists(webhooks)
  const write = (keys: string[]) => {
    const shared = (list: string[]) => keys.filter((key) => list.includes(key)).length
    const [model = []] = known.toSorted((a, b) => shared(b) - shared(a))
    const rank = (key: string) => model.indexOf(key) >>> 0 // unknown keys come last
    return keys.sort((a, b) => rank(a) - rank(b))
  }
  return [{ words: "with its keys in the contract's order", write }, SORTED]
}

/** The keys of every object in the examples. */
function keyLists(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return [Object.keys(value), ...Object.values(value).flatMap(keyLists)]
}
