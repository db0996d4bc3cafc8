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

interface Releases {
  go: { oldest: string; newest: string }
  ruby: Selection
}

/** A release: its title, and the variables with which the programs of the language are those of it. */
interface Release {
  title: string
  env: NodeJS.ProcessEnv
}

const FILE = fileURLToPath(new URL('../../toolchains/matrix.json', import.meta.url))
export const releases: Releases = JSON.parse(readFileSync(FILE, 'utf8'))

const languages: Record<string, () => Release[]> = {
  go: () => Object.values(releases.go).map((title) => ({ title, env: { GOTOOLCHAIN: title } })),
  ruby: () => {
    const PATH = [provideRuby(releases.ruby), process.env.PATH].join(delimiter)
    return [{ title: `the Ruby of Debian ${releases.ruby.suite}`, env: { PATH } }]
  },
}

/** Whether all tests have passed on all releases. */
function passes(language: string): boolean {
  const run = languages[language]
  if (!run) throw new MissingProgram(`Usage: node matrix.ts ${Object.keys(languages).join('|')}`)
  return run()
    .map(({ title, env }) => {
      process.stdout.write(`\n${title}\n`)
      const { status } = spawnSync('npm', ['test'], {
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
