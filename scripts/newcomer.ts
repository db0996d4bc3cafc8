/** Plays newcomers who follow docs/start.md, and says how long it took. `--help` lists the options. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Language } from './emit/core/language.ts'
import { LANGUAGES } from './languages.ts'
import { play } from './newcomer/play.ts'
import { tableOf } from './newcomer/table.ts'
import { Stuck } from './newcomer/terminal.ts'
import { buildPackages } from './pack/build.ts'
import { packAll } from './pack/folder.ts'
import { PackError } from './pack/packer.ts'
import { TARGETS } from './pack/targets.ts'
import { MissingProgram } from './toolchain/find.ts'

const NAMES = LANGUAGES.map(({ name }) => name)
const HELP = `Usage: npm run newcomer [-- OPTIONS]

Follows docs/start.md as a newcomer does, in an empty folder for each language, with its very commands and programs:
from nothing to a verified webhook. Prints the minutes that the machine needed for each section.

  --language NAME  only this language: ${NAMES.join(', ')}
  --packs DIR      the packages; by default, packs them first, which is not measured
  --keep-caches    uses what npm, pip and Go have downloaded and compiled before on this machine
  --help           this text

Exit code: 0 all webhooks were verified, 1 something was not as the page says, 2 wrong usage.
`

interface Options {
  languages: readonly Language[]
  packs: string | null
  keepCaches: boolean
  help: boolean
}

function options(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        language: { type: 'string' },
        packs: { type: 'string' },
        'keep-caches': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    const { language, packs, 'keep-caches': keepCaches, help } = values
    if (language !== undefined && !NAMES.includes(language)) {
      return `There is no language \`${language}\`. --language takes ${NAMES.join(', ')}.`
    }
    const languages = LANGUAGES.filter(({ name }) => [undefined, name].includes(language))
    const given = packs === undefined ? null : resolve(process.env.INIT_CWD ?? '.', packs)
    return { languages, packs: given, keepCaches, help }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function run({ languages, packs, keepCaches }: Options): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'newcomer-'))
  try {
    const packed = packs ?? join(work, 'packs')
    if (packs === null) {
      process.stderr.write('Packing\n')
      buildPackages()
      const wanted = ['mock-server', ...languages.map(({ name }) => name)]
      const targets = TARGETS.filter(({ name }) => wanted.includes(name))
      await packAll(targets, packed, () => {})
    }
    const times = new Map<string, Awaited<ReturnType<typeof play>>>()
    for (const language of languages) {
      process.stderr.write(`${language.title}\n`)
      const folder = await mkdtemp(join(work, `${language.name}-`))
      times.set(language.title, await play(language, { packs: packed, folder, keepCaches }))
    }
    process.stdout.write(tableOf(times))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const given = options()
if (typeof given === 'string') {
  process.stderr.write(`${given}\n\n${HELP}`)
  process.exitCode = 2
} else if (given.help) {
  process.stdout.write(HELP)
} else {
  try {
    await run(given)
  } catch (error) {
    const isExpected =
      error instanceof Stuck || error instanceof PackError || error instanceof MissingProgram
    if (!isExpected) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
