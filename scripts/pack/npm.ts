import { ROOT } from '../repository.ts'
import { output, PackError, type Packer } from './packer.ts'

/** Packs a workspace of npm, which has been built, as it would be published. */
export function npmPacker(workspace: string): Packer {
  return {
    isBuilt: true,
    find() {}, // npm runs this program
    async pack(folder) {
      const flags = ['--json', '--ignore-scripts', '--workspace', workspace]
      const report = await output(['npm', 'pack', ...flags, '--pack-destination', folder], ROOT)
      const [packed]: { filename: string }[] = JSON.parse(report)
      if (!packed) throw new PackError(`npm packed nothing for ${workspace}.`)
      return [packed.filename]
    },
  }
}
