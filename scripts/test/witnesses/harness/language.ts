import type { Delivery } from '../deliveries.ts'

/** The programs of one language and the package that they use. */
export interface Programs {
  /** The folder of the generated package. */
  package: string
  /** The files of the programs by kind. */
  files: ReadonlyMap<string, string>
}

/** What programs need that run. */
export interface Surroundings {
  /** The base URL of the service. */
  url: string
  secret: string
  /** The deliveries for the programs that handle events, by kind. */
  deliveries: Readonly<Record<string, Delivery[]>>
  /** The kinds of the programs without an API key. */
  keyless: readonly string[]
}

/** How a program ended: what it returned, or why it failed. */
export interface Run {
  value?: unknown
  /** What the service received, where that belongs to the result. */
  requests?: unknown
  /** The warnings that the SDK logged. */
  warnings: string[]
  error?: { message: string; status: number | null; atLoad: boolean }
}

/** The complaints of a type checker about a program. */
export interface Complaints {
  errors: string[]
  /** That something is deprecated. */
  warnings: string[]
}

/** The exports of `<language>.ts`. */
export interface Harness {
  extension: string
  /** Type-checks programs. Resolves to the complaints by kind; to null where nothing checks types. */
  check(programs: Programs): Promise<Map<string, Complaints> | null>
  /** Runs programs. Resolves to how each ended, by kind. */
  run(programs: Programs, surroundings: Surroundings): Promise<Map<string, Run>>
}
