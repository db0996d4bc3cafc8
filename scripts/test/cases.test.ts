// A folder is a case: a small document and what must come out of it. UPDATE=1 rewrites what is kept.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../pipeline.ts'
import { ROOT } from '../repository.ts'
import { CASES, filesOf, generate } from './support.ts'

const UPDATE = process.env.UPDATE === '1'

const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'negative')
    .map(({ name }) => name)

// What a document decides. The rest is the same in all cases and stands in sdks/typescript.
const KEPT = /^(?:types|contract|events|signature|client|paths|resources\/.*)\.ts$/

const names = foldersOf(CASES)
const refused = foldersOf(join(CASES, 'negative'))

describe('a document becomes a package', () => {
  const packages = mkdtempSync(join(tmpdir(), 'cases-'))
  const outcomes = new Map<string, Outcome>()

  beforeAll(async () => {
    symlinkSync(join(ROOT, 'node_modules'), join(packages, 'node_modules'), 'dir')
    for (const name of names) {
      const out = join(packages, name)
      outcomes.set(name, await generate(join(CASES, name, 'openapi.yaml'), { out }))
    }
    return () => rmSync(packages, { recursive: true, force: true })
  })

  it.each(names)('%s: writes what the case keeps', (name) => {
    expect(outcomes.get(name)).toMatchObject({ exit: 0, messages: [] })
    const files = filesOf(join(packages, name, 'typescript/src/generated'), KEPT)
    const expected = join(CASES, name, 'expected/typescript')
    if (UPDATE) rewrite(expected, files)
    expect(files).toEqual(filesOf(expected))
  })

  it('type-checks in every case, runtime included', () => {
    const folders = names.map((name) => join(packages, name, 'typescript'))
    const [first = ''] = folders
    const { config } = ts.readConfigFile(join(first, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, first)
    const files = folders.flatMap((folder) =>
      [...filesOf(folder, /^src\/.*\.ts$/).keys()].map((path) => join(folder, path)),
    )
    expect(files.length).toBeGreaterThan(names.length * 20)

    const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(files, options))

    const told = diagnostics.map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
    expect(told).toEqual([])
  })
})

describe('a document is refused', () => {
  it.each(refused)('%s: tells where, what and what to do, and writes nothing', async (name) => {
    const folder = join(CASES, 'negative', name)
    const outcome = await generate(join(folder, 'openapi.yaml'))

    expect(outcome.exit).toBe(1)
    expect(filesOf(outcome.out)).toEqual(new Map())
    const text = `${outcome.messages.join('\n')}\n`
    if (UPDATE) writeFileSync(join(folder, 'expected.txt'), text)
    expect(text).toBe(readFileSync(join(folder, 'expected.txt'), 'utf8'))
  })
})

function rewrite(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
