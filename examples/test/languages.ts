/** What the tests of READMEs, guides and examples need of each language. */
import { LANGUAGES } from '../../scripts/languages.ts'
import type { Files } from './projects.ts'

/** What `languages/<language>.ts` exports. */
export interface Support {
  readme: ReadmeSupport
  guide: GuideSupport
  /**
   * Prepares the programs of `sandbox/<language>`.
   *
   * @param sources The folder `sandbox`.
   * @param folder A copy of it.
   * @param npm A project with the packages of npm.
   */
  sandbox(sources: string, folder: string, npm: string): Promise<Runner>
}

/** How a README's blocks become a program. The first block makes the client; each of the others has a
 * scope of its own, as a reader takes it alone. */
export interface ReadmeSupport {
  /** Makes of blocks the files of a program. */
  write(blocks: readonly string[]): Files
  /** Prepares a project, in which the README's commands then install the package. */
  prepare?(project: string): Promise<void>
  /** What finds the project's own programs and packages. */
  env(project: string): Record<string, string>
  run(project: string): string[]
  /** What else has to accept the program. */
  check?(project: string, folder: string): Promise<unknown>
}

/** How the programs of a guide become a project, from the packages as users get them. */
export interface GuideSupport {
  create(files: Files, workspace: Workspace): Promise<Project>
  database: Files
  probe: Probe
  /** The receiver that all stores are put into. By default, each store has the receiver of its turn. */
  receiver?: string
  /** Whether receivers in several processes may share the database; they may by default. */
  sharesDatabase?: boolean
  /** Whether a file is part of a program without being imported. */
  buildsFolder?: boolean
}

/**
 * A program that asks a store. The first event is begun twice, given back under a token that is wrong,
 * then under the right one, and done likewise. The second one's lease ends at once, and whoever held
 * it comes late. Twenty ask for the third at once, where the language does things at once.
 */
export interface Probe {
  files: Files
  command: string
}

/** What each probe prints: the results of `begin`, and how many of twenty get a lease. */
export const PROBED = 'new in_progress in_progress new in_progress done new new in_progress done 1'

export interface Project {
  folder: string
  env: Record<string, string>
  /** Throws unless the language's own checkers accept the project. */
  check(): Promise<unknown>
}

/** Where projects are made. */
export interface Workspace {
  /** Of the test, empty. */
  folder: string
  /** One with the packed packages of npm. */
  npm: string
  /** Of the guide. */
  name: string
}

/** How a program of a language is run. */
export interface Runner {
  command(program: 'flow' | 'faults' | 'limited'): string[]
  env?: Record<string, string>
}

export interface ExampleLanguage extends Support {
  name: string
  fence: string
}

export const languages: readonly ExampleLanguage[] = await Promise.all(
  LANGUAGES.map(async ({ name, fence }) => {
    const { support }: { support: Support } = await import(`./languages/${name}.ts`)
    return { name, fence, ...support }
  }),
)

/** What marks the blocks of code that are programs. */
export const fences: readonly string[] = languages.map(({ fence }) => fence)
