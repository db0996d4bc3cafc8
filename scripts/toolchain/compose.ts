/** The reader of Compose files. Go builds it in the release that `toolchains/compose/go.mod` pins. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MissingProgram, once } from './find.ts'
import { programs as go } from './languages/go.ts'

const MODULE = fileURLToPath(new URL('../../toolchains/compose', import.meta.url))
const TOOL = 'github.com/compose-spec/compose-go/v2/cmd'

const built = once(() => {
  const { status, stdout, stderr } = spawnSync(go.go, ['tool', '-n', TOOL], {
    cwd: MODULE,
    encoding: 'utf8',
  })
  if (status === 0) return stdout.trim()
  throw new MissingProgram(
    `Install Go 1.25 or newer, which builds the reader of Compose files. Go reported:\n${stderr}`,
  )
})

/** Absolute paths. */
export const programs = {
  get compose() {
    return built()
  },
}

export function provide(): void {
  programs.compose
}
