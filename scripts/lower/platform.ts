import type { Platform } from '../model/types.ts'
import { type Location, type Problem, readYaml } from '../yaml/index.ts'

/** The form of a name. */
interface Rule {
  pattern: string
  'x-must-be'?: string
}

// Names end up in code, in file names and in commands: nothing else than names may come through.
const SHARED: Readonly<Record<string, Rule>> = {
  title: { pattern: '^[A-Za-z][A-Za-z0-9 ]*$' },
  client: { pattern: '^[A-Z][A-Za-z0-9]*$' },
  env_prefix: { pattern: '^[A-Z][A-Z0-9_]*$' },
  mock_npm: { pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$' },
}

const OPTIONAL: Readonly<Record<string, Rule>> = {
  repository: {
    pattern: '^https://[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)+$',
    'x-must-be': 'an address like https://github.com/acme/shop, without a slash at its end',
  },
}

/**
 * Reads the names of the platform and its packages.
 *
 * @param rules The names that the languages need, beside those that all share.
 */
export async function loadPlatform(
  file: string,
  rules: Readonly<Record<string, Rule>>,
): Promise<{
  platform: Platform | null
  problems: Problem[]
  /** Where a name stands in the file. */
  locate(name: string): Location
}> {
  const names = Object.entries({ ...SHARED, ...rules, ...OPTIONAL })
  const properties = {
    ...Object.fromEntries(names.map(([name, rule]) => [name, { type: 'string', ...rule }])),
    published: { type: 'boolean' },
  }
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(OPTIONAL, name))
  const schema = { type: 'object', required, properties, additionalProperties: false }
  const { value, problems, locate } = await readYaml<Readonly<Record<string, unknown>>>(
    file,
    schema,
  )
  return { platform: value && platformOf(value), problems, locate: (name) => locate(`/${name}`) }
}

/** The names that stand in files and paths by hand, by their keys in `names.yaml`. */
export function spelled(platform: Platform): Readonly<Record<string, unknown>> {
  const names = Object.entries(platform).filter(([name]) => name !== 'published')
  return Object.fromEntries(names.map(([name, value]) => [snake(name), value]).sort())
}

/** The reverse of {@link spelled}. */
export function platformOf(names: Readonly<Record<string, unknown>>): Platform {
  const entries = Object.entries(names).map(([name, value]) => [camel(name), value])
  return Object.fromEntries(entries)
}

/** `python_import` → `pythonImport`. */
export function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
