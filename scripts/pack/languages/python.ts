import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../repository.ts'
import { programs, tool } from '../../toolchain/languages/python.ts'
import { output, type Packer } from '../packer.ts'

/** The wheel, then the source archive. */
const ENDINGS = ['.whl', '.tar.gz']

export const packer: Packer = {
  find() {
    programs.uv
    programs.python
  },
  async pack(folder) {
    const built = await mkdtemp(join(folder, '.python-'))
    // With the build tools of the lock file.
    const flags = ['--quiet', '--no-build-isolation', '--python', tool('python')]
    await output([programs.uv, 'build', ...flags, '--out-dir', built, 'sdks/python'], ROOT)
    const names = await readdir(built)
    const archives = ENDINGS.flatMap((ending) => names.filter((name) => name.endsWith(ending)))
    for (const name of archives) await rename(join(built, name), join(folder, name))
    await rm(built, { recursive: true })
    return archives
  },
}
