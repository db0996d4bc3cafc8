import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programs as tools } from '../../../toolchain/languages/ruby.ts'
import type { Programs, Run, Surroundings } from './language.ts'
import { play } from './process.ts'

export const extension = 'rb'

const RUNNER = fileURLToPath(new URL('runners/run.rb', import.meta.url))

/** Ruby checks no types. */
export async function check(): Promise<null> {
  return null
}

export function run(programs: Programs, surroundings: Surroundings): Promise<Map<string, Run>> {
  const input = { ...surroundings, programs: Object.fromEntries(programs.files) }
  return play(tools.ruby, ['-I', join(programs.package, 'lib'), RUNNER], input)
}
