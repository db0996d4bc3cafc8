/**
 * Writes the pages about the mock server that repeat what its code and its contracts say: its commands, its control API
 * and its admin API. `--check` writes nothing and exits with 1 where a page is not up to date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandsPage } from './commands.ts'
import { apiPage } from './control.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The pages by their paths from the root. */
export async function manual(): Promise<Map<string, string>> {
  return new Map([
    ['docs/mock-server/commands.md', commandsPage(ROOT)],
    [
      'docs/mock-server/control.md',
      await apiPage(ROOT, 'mock-server/control.yaml', 'sk_test_demo'),
    ],
    ['docs/mock-server/admin.md', await apiPage(ROOT, 'mock-server/admin.yaml', null)],
  ])
}

/** What to do about pages that are not up to date. */
export async function stale(): Promise<string[]> {
  const pages = await manual()
  return [...pages].flatMap(([path, text]) => {
    const file = join(ROOT, path)
    const isThere = existsSync(file) && readFileSync(file, 'utf8') === text
    return isThere ? [] : [`${path} is not up to date. Run: npm run manual -w docs`]
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const found = await stale()
    for (const line of found) process.stderr.write(`${line}\n`)
    process.exitCode = found.length > 0 ? 1 : 0
  } else {
    for (const [path, text] of await manual()) {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true })
      writeFileSync(join(ROOT, path), text)
    }
  }
}
