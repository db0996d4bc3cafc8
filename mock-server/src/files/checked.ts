/** Reads a YAML or JSON file that a published schema of this package describes. */
import {
  formatProblem,
  type Location,
  type Naming,
  type Problem,
  readYaml,
  sortProblems,
} from '@support-chat/scripts/yaml'

/** A file that cannot be used. The message has a line for each problem. */
export class FileError extends Error {
  constructor(problems: readonly Problem[]) {
    super(sortProblems(problems).map(formatProblem).join('\n'))
  }
}

/** Breaks a rule that the schema cannot express. */
export interface Violation {
  /** A JSON pointer to the value. */
  pointer: string
  /** What is wrong, without a full stop. */
  message: string
  /** What to do about it, without a full stop. */
  fix: string
}

interface Rules<T> {
  schema: object
  /** The file of this package that describes it. */
  name: string
  /** Checks a file that is valid by the schema. */
  check: (value: T) => readonly Violation[]
  nameOf?: Naming
  /** The text of the file. @default it is read */
  text?: string | undefined
}

/** @throws {FileError} for a file that cannot be read, does not match its schema or violates a rule */
export async function readChecked<T>(
  file: string,
  { schema, name, check, nameOf, text }: Rules<T>,
): Promise<{ value: T; locate: (pointer: string) => Location }> {
  const { value, problems, locate } = await readYaml<T>(file, schema, {
    advice: `See ${name} in this package`,
    pointAt: 'value',
    ...(nameOf && { nameOf }),
    ...(text !== undefined && { read: () => text }),
  })
  const violations = value === null ? [] : check(value)
  const all = [
    ...problems,
    ...violations.map(({ pointer, message, fix }): Problem => {
      return { severity: 'error', location: locate(pointer), message, fix }
    }),
  ]
  if (value === null || all.length > 0) throw new FileError(all)
  return { value, locate }
}
