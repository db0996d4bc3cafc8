import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../repository.ts'
import { programs } from '../../toolchain/languages/ruby.ts'
import { output, type Packer } from '../packer.ts'
import { readPlatform } from '../platform.ts'

const SDK = join(ROOT, 'sdks/ruby')

export const packer: Packer = {
  find() {
    programs.ruby
    programs.gem
  },
  async pack(folder) {
    const { gem } = await readPlatform()
    const { version } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'))
    const name = `${gem}-${version}.gem`
    const flags = ['--output', join(folder, name)]
    await output([programs.gem, 'build', `${gem}.gemspec`, ...flags], SDK)
    return [name]
  },
}
