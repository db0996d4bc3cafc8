/** The exports of `compile/<language>.ts`. */
export interface Compiler {
  /** Which files of a package a case keeps: those that the document decides. */
  KEPT: RegExp
  /** Checks packages as strictly as ours. Resolves to the faults. */
  check(packages: readonly string[]): Promise<string[]>
  /** Formats blocks of code. Throws for a block that the formatter cannot parse. */
  layOut(blocks: readonly string[]): string[]
}

export function compilerOf(language: string): Promise<Compiler> {
  return import(`./compile/${language}.ts`)
}
