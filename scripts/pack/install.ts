import { readFileSync } from 'node:fs'
import { product } from '../emit/core/names.ts'
import { fill } from '../emit/core/template.ts'
import { packagesOf } from '../release/packages.ts'
import { ROOT } from '../repository.ts'
import type { Packed } from './folder.ts'
import { readPlatform } from './platform.ts'

/** The page of the folder that says how to install what it holds. */
export const INSTALL = 'INSTALL.md'

/** Fills `install/page.md` and the part of each package, `install/<name>.md`. */
export async function installText(packed: Packed): Promise<string> {
  const platform = await readPlatform()
  const [{ version = '' } = {}] = packagesOf(ROOT)
  const slots = { ...platform, mock: `${product(platform)}-mock` }
  const parts = [...packed].map(([{ name, title }, [file = '', ...others]]) => {
    const own = { file, archive: others.at(-1) ?? file, version }
    return `## ${title}\n\n${fill(template(name), { ...slots, ...own })}`
  })
  return `${fill(template('page'), slots)}\n${parts.join('\n')}`
}

function template(name: string): string {
  return readFileSync(new URL(`install/${name}.md`, import.meta.url), 'utf8')
}
