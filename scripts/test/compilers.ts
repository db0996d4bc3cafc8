/** The exports of `compile/<language>.ts`. */
export interface Compiler {
  /** Which files of a package a case keeps: those that the document decides. */
  KEPT: RegExp
  /** Checks packages as strictly as ours; resolves to what is wrong. */
  check(packages: readonly string[]): Promise<string[]>
  /** What blocks of code become where a formatter lays them out; throws for what it cannot parse. */
  layOut(blocks: readonly string[]): string[]
}

export function compilerOf(language: string): Promise<Compiler> {
  return import(`./compile/${language}.ts`)
}
