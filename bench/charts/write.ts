// Writes the charts of the kept run.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOf, ROOT } from './files.ts'

for (const old of globSync('docs/images/charts/*.svg', { cwd: ROOT })) rmSync(join(ROOT, old))
for (const [path, content] of filesOf()) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), content)
}
