/**
 * Checks the English of everything that people read: the guides and READMEs, the help texts of the commands, the
 * descriptions of the contract and of the control API, and the messages and pages of the mock server. Prints what
 * Vale finds. Exits with 1 if it finds something.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programs } from '../../scripts/toolchain/vale.ts'
import { glossaryRule } from './glossary.ts'
import { texts } from './texts.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STYLE = fileURLToPath(new URL('.', import.meta.url))

/** Pages, from the root of the repository. */
export const PAGES = [
  '*.md',
  '.changeset/*.md',
  '{bench,deploy,examples,mock-server,scripts,sdks,toolchains}/*.md',
  '{examples,sdks}/*/*.md',
  'docs/**/*.md',
]
// Material of a test, the built site, and comments of code, which have names in each sentence.
const LEFT_OUT = /node_modules|CHANGELOG|docs\/(?:style\/test|api|dist|site)\//

/** Runs Vale over files; resolves to its exit code, 1 where it finds something. */
export function check(
  files: readonly string[],
  cwd: string = ROOT,
): { code: number; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'prose-'))
  try {
    cpSync(join(STYLE, 'vale.ini'), join(folder, 'vale.ini'))
    cpSync(join(STYLE, 'styles'), join(folder, 'styles'), { recursive: true })
    const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
    writeFileSync(join(folder, 'styles/SupportChat/Glossary.yml'), glossaryRule(glossary))
    const options = ['--no-global', '--config', join(folder, 'vale.ini'), '--output', 'line']
    const { status, stdout, stderr, error } = spawnSync(programs.vale, [...options, ...files], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
    if (error) throw error
    return { code: status ?? 1, output: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = globSync(PAGES, { cwd: ROOT })
    .filter((path) => !LEFT_OUT.test(path))
    .sort()
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  for (const [name, text] of await texts(ROOT)) writeFileSync(join(folder, `${name}.md`), text)
  const found = [check(pages), check(globSync('*.md', { cwd: folder }).sort(), folder)]
  rmSync(folder, { recursive: true })
  for (const { output } of found) process.stdout.write(output)
  process.exitCode = Math.max(...found.map(({ code }) => code))
}
