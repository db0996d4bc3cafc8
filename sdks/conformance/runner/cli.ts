/** `npm run case -- [prefix of ids] [language]`: plays cases and shows the differences. */
import { isDeepStrictEqual } from 'node:util'
import { diff } from 'jest-diff'
import { loadCases } from './case.ts'
import { startDriver } from './driver.ts'
import { CLIENTS, prepare } from './languages.ts'
import { generatePackages } from './packages.ts'
import { forLanguage, runCase } from './run.ts'

const words = process.argv.slice(2)
const languages = CLIENTS.filter((name) => words.includes(name))
const [prefix = ''] = words.filter((word) => !CLIENTS.includes(word))
const cases = loadCases().filter(({ id }) => id.startsWith(prefix))
if (cases.length === 0) {
  process.stderr.write(`No case begins with ${prefix}. Languages are ${CLIENTS.join(', ')}.\n`)
  process.exit(2)
}

const packages = await generatePackages()
let failed = 0
try {
  for (const language of languages.length > 0 ? languages : CLIENTS) await play(language)
} finally {
  packages.remove()
}
process.exitCode = failed > 0 ? 1 : 0

async function play(language: string): Promise<void> {
  const driver = startDriver(await prepare(language, packages.folder))
  for (const one of cases) {
    const { expected, actual } = await runCase(forLanguage(one, language), driver)
    if (isDeepStrictEqual(actual, expected)) continue
    failed++
    print(
      `${language}: ${one.id}\n${one.why ? `${one.why}\n` : ''}${difference(expected, actual)}\n`,
    )
  }
  driver.stop()
  print(`${language}: ${cases.length} cases`)
}

function difference(expected: unknown, actual: unknown): string {
  return diff(expected, actual, { expand: false, contextLines: 2 }) ?? ''
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
