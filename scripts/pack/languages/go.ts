import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../repository.ts'
import { programs } from '../../toolchain/languages/go.ts'
import { output, type Packer } from '../packer.ts'

const SDK = join(ROOT, 'sdks/go')
/** The folder that is a module proxy. */
export const SERVED = 'go'

export const packer: Packer = {
  find() {
    programs.go
  },
  async pack(folder) {
    const source = await readFile(join(SDK, 'version.go'), 'utf8')
    const version = `v${/"(.*)"/.exec(source)?.[1]}`
    const served = join(folder, SERVED)
    await output([programs.go, 'run', './proxy', version, served], join(SDK, 'tools'))
    const entries = await readdir(served, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
  },
}
