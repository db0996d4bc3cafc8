/** The linter of prose. Go builds it in the release that `toolchains/vale/go.mod` pins. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MissingProgram, once } from './find.ts'
import { programs as go } from './languages/go.ts'

const MODULE = fileURLToPath(new URL('../../toolchains/vale', import.meta.url))

const built = once(() => {
  const { status, stdout, stderr } = spawnSync(go.go, ['tool', '-n', 'vale'], {
    cwd: MODULE,
    encoding: 'utf8',
  })
  if (status === 0) return stdout.trim()
  throw new MissingProgram(
    `Install a C compiler and Go 1.25 or newer, which build the prose linter Vale. Go reported:\n${stderr}`,
  )
})

/** Absolute paths. */
export const programs = {
  get vale() {
    return built()
  },
}

export function provide(): void {
  programs.vale
}
