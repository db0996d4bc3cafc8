import { fileURLToPath } from 'node:url'
import { formatProblem, readYaml } from '../../yaml/index.ts'

interface Row {
  kinds: string[]
  text: string
}

const FILE = fileURLToPath(new URL('advice.yaml', import.meta.url))

const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['kinds', 'text'],
    properties: { kinds: { type: 'array', items: { type: 'string' } }, text: { type: 'string' } },
    additionalProperties: false,
  },
}

/** What users do about a change, in sentences, by its kind. */
export async function loadAdvice(): Promise<ReadonlyMap<string, string>> {
  const { value, problems } = await readYaml<Row[]>(FILE, SCHEMA)
  const [problem] = problems
  if (problem) throw new Error(formatProblem(problem))
  return new Map((value ?? []).flatMap(({ kinds, text }) => kinds.map((kind) => [kind, text])))
}
