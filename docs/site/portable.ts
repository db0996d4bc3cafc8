/**
 * Makes a built site work from any folder: Astro writes absolute paths, and these become relative to the page or the
 * script that has them. Each page gets a policy that allows its own scripts alone.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The path that the site is built for. It stands nowhere else. */
export const BASE = '/__base__'
/** Where the site is, in a script: all scripts are in `_astro`. */
const ROOT = 'new URL("..",import.meta.url).pathname'

export function makePortable(folder: string): void {
  const files = globSync('**/*.{html,js,css}', { cwd: folder })
  const pages = files.filter((file) => file.endsWith('.html'))
  const policy = policyOf(pages.map((page) => readFileSync(join(folder, page), 'utf8')))
  for (const file of files) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const portable = file.endsWith('.html')
      ? withPolicy(relativeIn(text, file), policy)
      : file.endsWith('.js')
        ? text.replaceAll(`\`${BASE}/`, `\`$\{${ROOT}}`)
        : text.replaceAll(`${BASE}/`, '../')
    if (portable.includes(BASE)) throw new Error(`${file} has a path that cannot be made relative.`)
    if (portable !== text) writeFileSync(path, portable)
  }
}

function relativeIn(html: string, page: string): string {
  const root = '../'.repeat(page.split('/').length - 1) || './'
  return html.replaceAll(`${BASE}/`, root)
}

/** The reader may send requests to a mock server elsewhere. The search runs WebAssembly in a worker. */
function policyOf(pages: readonly string[]): string {
  const inline = pages.flatMap((html) =>
    [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(?<code>[\s\S]*?)<\/script>/g)].map(
      ({ groups }) => groups?.code ?? '',
    ),
  )
  const hashes = [...new Set(inline)].map(
    (code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' ${hashes.sort().join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'connect-src *',
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function withPolicy(html: string, policy: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}"/>`
  return html.replace(/<meta charset="utf-8"\/?>/, (charset) => `${charset}${meta}`)
}
