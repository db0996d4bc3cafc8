import { readFileSync } from 'node:fs'
import { globbySync } from 'globby'
import type { Page } from '../src/mcp/docs.ts'

const root = new URL('../../', import.meta.url)

/** What integrators read, and the examples. The other pages are for contributors and operators. */
const PAGES = [
  'docs/{sandbox,webhooks,glossary,assumptions,runtimes,upgrading}.md',
  'docs/webhooks/*.md',
  'docs/reference/**/*.md',
  'sdks/*/README.md',
  '!sdks/conformance',
  'mock-server/README.md',
  'examples/*/**',
  '!examples/test',
  '!**/*.{json,txt,mod,sum,lock}',
  '!**/{node_modules,.venv,vendor,dist,test,tests}/**',
]

/** The pages that a coding agent can read and search, by path. */
export function docs(): Page[] {
  const paths = globbySync(PAGES, { cwd: root, gitignore: true }).sort()
  return paths.map((path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    const heading = path.endsWith('.md') ? /^# (.+)$/m.exec(text)?.[1] : undefined
    return { path, title: heading ?? path, text }
  })
}
