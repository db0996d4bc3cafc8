import { LANGUAGES } from '../languages.ts'

/** The exports of `scripts/toolchain/languages/<language>.ts`. */
export interface Toolchain {
  /** Absolute paths, by the names that npm scripts use. Each throws a MissingProgram where it is missing. */
  programs: Readonly<Record<string, string>>
  /** Identifies this set of programs. */
  version(): string
  /** Installs what is missing where that is possible, and throws a MissingProgram where it is not. */
  provide(): void
}

/** The toolchains by their languages. Each looks for a program on its first use. */
export const toolchains: ReadonlyMap<string, Toolchain> = new Map(
  await Promise.all(
    LANGUAGES.filter(({ toolchain }) => toolchain !== null).map(async ({ name }) => {
      const module: Toolchain = await import(`./languages/${name}.ts`)
      return [name, module] as const
    }),
  ),
)

/** The version of each toolchain, by the variable that carries it into turbo's hash. */
export function versions(): Record<string, string> {
  const entries = [...toolchains].map(([name, { version }]) => {
    return [`TOOLCHAIN_${name.toUpperCase()}`, version()]
  })
  return Object.fromEntries(entries)
}
