/**
 * Reads YAML and JSON files that people write, and says where in them something is wrong. The
 * generator reads the contract, `names.yaml` and `behavior.yaml` with it, the mock server seeds and
 * scenarios. It is bundled into what is published, so it imports nothing else of this workspace.
 *
 * ```ts
 * import { formatProblem, readYaml, sortProblems } from '@support-chat/scripts/yaml'
 *
 * const { value, problems, locate } = await readYaml<Seed>('seed.yaml', schema)
 * if (value === null) throw new Error(problems.map(formatProblem).join('\n'))
 * ```
 *
 * - `readYaml(file, schema, options?)` reads a file and checks it against a JSON Schema. It never
 *   throws because of the file: `value` is null and `problems` says why. Where a schema's own words
 *   say too little, `x-must-be` beside a keyword completes "must be …", and `examples` beside a
 *   `pattern` become the cure.
 * - `locate(pointer)` gives the `Location` of the value at a JSON pointer, for rules that no schema
 *   can express: `{ severity: 'error', location: locate('/steps/2'), message, fix }`.
 * - `formatProblem(problem)` writes `FILE:LINE:COL: what is wrong. What to do.` on one line;
 *   `sortProblems` orders problems as they stand in their files.
 * - `Locations` follows the objects of a tree that references, overlays and bundling rearrange, and
 *   `attempt` and `unreadable` turn a failure of Redocly's reader into a `Problem`; a reader of
 *   whole OpenAPI documents needs them.
 */
export { Locations } from './locations.ts'
export {
  formatLocation,
  formatProblem,
  type Location,
  type Problem,
  sortProblems,
} from './problem.ts'
export {
  attempt,
  type Naming,
  type Read,
  readYaml,
  TextResolver,
  unreadable,
  type YamlFile,
  type YamlOptions,
} from './read.ts'
