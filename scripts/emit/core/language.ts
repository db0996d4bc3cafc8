import type { Api, Refusal } from '../../model/types.ts'
import type { OutFile, Sources } from './file.ts'
import type { Snippet } from './snippets.ts'
import type { Slots } from './template.ts'

/**
 * Everything that the repository knows about a language. It is plain data, so its readers start fast.
 * `load` loads the code that generates.
 */
export interface Language {
  /** The name of its folders: `sdks/<name>`, `scripts/emit/<name>`, `examples/<name>` … */
  name: string
  title: string
  /** The tag of its code blocks in Markdown. */
  fence: string
  /** Its keys in `names.yaml`. */
  names: Readonly<Record<string, NameRule>>
  /** Where its package holds the version: a file by a glob, and the version as the pattern's group. */
  version: { file: string; pattern: RegExp }
  /** The hand-written files that a package for another contract shares with ours, as globs. */
  runtime: { files: readonly string[]; exclude?: readonly string[] }
  /** Files at the root of the repository that a package is adapted from. */
  root?: readonly string[]
  /** Its spelling of the options and errors that all SDKs have. */
  spelling: Spelling
  /** The clients that the conformance suite drives, with their titles. */
  clients: Readonly<Record<string, string>>
  /** The programs that it needs besides Node.js; null if it needs none. */
  toolchain: Toolchain | null
  load(): Promise<Generator>
}

/** The form of a name. */
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
  /** The limit for connecting, apart from that of the attempt. */
  connectTimeout: string
  /** How an option says that there is no timeout. */
  noTimeout: string
  headers: string
  query: string
  /** Members of a body beyond those of the operation. */
  body: string
  defaultHeaders: string
  defaultQuery: string
  logLevel: string
  middleware: string
  strict: string
  onMismatch: string
  /** A list page by page, and as one list. */
  pages: string
  toList: string
  /** The request id of any result. */
  requestId: string
  /** How to cancel a call, and the error that the call then ends with, in Markdown. */
  cancel: string
  outcome(name: string): string
  error(name: string): string
}

/** The programs that build and test an SDK; `scripts/toolchain/languages/<name>.ts` finds them. */
export interface Toolchain {
  /** What to do if a program is missing. */
  cure: string
  /** Debian's packages of it, installed where that is possible. */
  debian: readonly string[]
}

/** The exports of `emit/<name>/index.ts`, which make the package of a language. */
export interface Generator {
  /** Names that the language cannot give. */
  nameClashes(api: Api): Refusal[]
  /** The generated files, from the folder of the package. */
  emit(api: Api, sources: Sources): OutFile[] | Promise<OutFile[]>
  /** The slots of its README templates, `emit/<name>/repository.md` and `package.md`. */
  readmeSlots(api: Api): Slots
  /** Code that uses a part of the API, as a user writes it. */
  writeSnippet(snippet: Snippet, api: Api): string
  /** Formats a code block of a README, where the linters of the package do too. */
  formatCode?(code: string): string
  /**
   * The further files of a package for another contract.
   *
   * @param runtime The files of `runtime`, from the folder of our package.
   * @param root The files of `root`.
   */
  packageFiles(api: Api, runtime: readonly OutFile[], root: readonly OutFile[]): OutFile[]
}
