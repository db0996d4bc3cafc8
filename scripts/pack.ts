/** Packs what integrators install without a clone. `--help` lists the options. */
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDocs, buildPackages } from './pack/build.ts'
import { packAll } from './pack/folder.ts'
import { PackError } from './pack/packer.ts'
import { TARGETS, type Target } from './pack/targets.ts'
import { ROOT } from './repository.ts'
import { MissingProgram } from './toolchain/find.ts'
import { missingFrom } from './toolchain/provide.ts'

const NAMES = TARGETS.map(({ name }) => name)
const HELP = `Usage: npm run pack:all [-- OPTIONS]

Makes a folder with the packages that integrators install without a clone, their digests, and INSTALL.md with the
commands. The same files are packed into the same bytes.

  --out DIR     the folder; packs by default. What an earlier run wrote there goes.
  --only NAMES  only these packages, with commas between them: ${NAMES.join(',')}
  --no-build    packs the SDK, the mock server and the documentation as they are built
  --help        this text

Exit code: 0 packed, 1 a program is missing or fails, 2 wrong usage.
`

interface Options {
  out: string
  targets: readonly Target[]
  build: boolean
  help: boolean
}

function options(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        out: { type: 'string', default: join(ROOT, 'packs') },
        only: { type: 'string' },
        build: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
      allowNegative: true,
    })
    const { out, only, build, help } = values
    const chosen = only?.split(',') ?? NAMES
    const unknown = chosen.find((name) => !NAMES.includes(name))
    if (unknown !== undefined) return `--only has no \`${unknown}\`. It takes ${NAMES.join(', ')}.`
    if (out === '') return '--out needs a folder.'
    // npm runs scripts in the folder of the repository, not where it was called.
    const folder = resolve(process.env.INIT_CWD ?? '.', out)
    const targets = TARGETS.filter(({ name }) => chosen.includes(name))
    return { out: folder, targets, build, help }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Says all that is missing at once, before anything is built. */
function findPrograms(targets: readonly Target[]): void {
  const missing = targets.flatMap(({ title, find }) => {
    const cure = missingFrom(find)
    return cure === null ? [] : [`${title}: ${cure}`]
  })
  if (missing.length === 0) return
  const hint = 'Or leave these packages out: --only lists those to pack.'
  throw new MissingProgram([...missing, hint].join('\n'))
}

const given = options()
if (typeof given === 'string') {
  process.stderr.write(`${given}\n\n${HELP}`)
  process.exitCode = 2
} else if (given.help) {
  process.stdout.write(HELP)
} else {
  try {
    findPrograms(given.targets)
    if (given.build && given.targets.some(({ isBuilt }) => isBuilt)) {
      buildDocs()
      buildPackages()
    }
    await packAll(given.targets, given.out, ({ title }, files) => {
      for (const file of files) process.stdout.write(`${title}: ${file}\n`)
    })
    const shown = relative(process.env.INIT_CWD ?? '.', given.out) || '.'
    process.stdout.write(`Next: ${join(shown, 'INSTALL.md')} says how to install them.\n`)
  } catch (error) {
    if (!(error instanceof PackError || error instanceof MissingProgram)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
