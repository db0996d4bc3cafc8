/**
 * Runs a package's tests on the releases of its language that `npm test` does not run them on:
 * `node matrix.ts ruby`, in the folder of the package.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provideRuby, type Selection } from './debian.ts'
import { MissingProgram } from './find.ts'

/** The further releases of a language: by the values of a variable that selects one, or from Debian. */
interface Releases {
  /** What runs the tests: `test` by default. */
  script?: string
  GOTOOLCHAIN?: readonly string[]
  debian?: Selection
}

/** A release: its title, and the variables that make it the one that tests find. */
interface Release {
  title: string
  env: NodeJS.ProcessEnv
}

const FILE = fileURLToPath(new URL('../../toolchains/matrix.json', import.meta.url))
export const languages: Readonly<Record<string, Releases>> = JSON.parse(readFileSync(FILE, 'utf8'))

function releasesOf({ GOTOOLCHAIN = [], debian }: Releases): Release[] {
  const selected = GOTOOLCHAIN.map((title) => ({ title, env: { GOTOOLCHAIN: title } }))
  if (!debian) return selected
  const PATH = [provideRuby(debian), process.env.PATH].join(delimiter)
  return [...selected, { title: `Debian ${debian.suite}`, env: { PATH } }]
}

/** Whether all tests have passed on all releases. */
function passes(language: string): boolean {
  const releases = languages[language]
  if (!releases)
    throw new MissingProgram(`Usage: node matrix.ts ${Object.keys(languages).join('|')}`)
  return releasesOf(releases)
    .map(({ title, env }) => {
      process.stdout.write(`\n${title}\n`)
      const { status } = spawnSync('npm', ['run', releases.script ?? 'test'], {
        stdio: 'inherit',
        env: { ...process.env, ...env },
      })
      return status === 0
    })
    .every(Boolean)
}

if (import.meta.main) {
  try {
    process.exitCode = passes(process.argv[2] ?? '') ? 0 : 1
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
