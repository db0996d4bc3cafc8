import type { Api, Refusal } from '../../model/types.ts'
import type { OutFile, Sources } from './file.ts'
import type { Slots } from './template.ts'

/**
 * All that the repository has to know of a language. It is plain data, so that whatever reads it starts
 * fast; the code that generates is loaded by `load`.
 */
export interface Language {
  /** What its folders are called: `sdks/<name>`, `scripts/emit/<name>`, `examples/<name>` … */
  name: string
  title: string
  /** What its blocks of code are marked with in Markdown. */
  fence: string
  /** Its keys in `names.yaml`. */
  names: Readonly<Record<string, NameRule>>
  /** Where its package holds the version: a file by a glob, and the version as the pattern's group. */
  version: { file: string; pattern: RegExp }
  /** The hand-written files that a package for another contract shares with ours, as globs. */
  runtime: { files: readonly string[]; exclude?: readonly string[] }
  /** Files at the root of the repository that a package is adapted from. */
  root?: readonly string[]
  /** How it spells what all SDKs have. */
  spelling: Spelling
  /** The clients that the conformance suite drives, with their titles. */
  clients: Readonly<Record<string, string>>
  /** What it needs beside Node.js; null where that is all. */
  toolchain: Toolchain | null
  load(): Promise<Generator>
}

/** What a name has to look like. */
export interface NameRule {
  pattern: string
  /** The pattern in words. */
  'x-must-be'?: string
}

/** Options and errors, as Markdown code has them. */
export interface Spelling {
  apiKey: string
  baseURL: string
  timeout: string
  /** The unit of a timeout that is a number, in milliseconds; else how it is written. */
  timeoutUnit: 'ms' | 's'
  maxRetries: string
  idempotencyKey: string
  headers: string
  /** What cancels a call, and what the call then ends with, in Markdown. */
  cancel: string
  outcome(name: string): string
  error(name: string): string
}

/** What builds and tests an SDK; `scripts/toolchain/languages/<name>.ts` finds it. */
export interface Toolchain {
  /** What to do where it is missing. */
  cure: string
  /** Debian's packages of it, installed where that is possible. */
  debian: readonly string[]
}

/** What makes the package of a language: the exports of `emit/<name>/index.ts`. */
export interface Generator {
  /** Names that the language cannot give. */
  nameClashes(api: Api): Refusal[]
  /** The generated files, from the folder of the package. */
  emit(api: Api, sources: Sources): OutFile[] | Promise<OutFile[]>
  /** What the templates of its READMEs leave open: `emit/<name>/repository.md` and `package.md`. */
  readmeSlots(api: Api): Slots
  /**
   * What a package for another contract holds beside them.
   *
   * @param runtime The files of `runtime`, from the folder of our package.
   * @param root The files of `root`.
   */
  packageFiles(api: Api, runtime: readonly OutFile[], root: readonly OutFile[]): OutFile[]
}
