import { join } from 'node:path'
import { programs } from '../../../../scripts/toolchain/languages/ruby.ts'
import type { Prepare } from '../../runner/languages.ts'

export const prepare: Prepare = async (folder) => ({
  program: programs.ruby,
  args: ['-W1', '-I', join(folder, 'lib'), join(import.meta.dirname, 'driver.rb')],
})
