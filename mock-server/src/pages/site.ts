import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { SITE } from '../assets.ts'
import type { HttpRequest } from '../door/message.ts'
import { file } from './file.ts'
import type { Page } from './pages.ts'

/** Its pages bring a stricter policy, which names their own scripts. */
const POLICY = "frame-ancestors 'none'"
const PREFIX = '/docs/'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
}

/** The files of a built documentation site. */
export interface Site {
  /** Whether it was built. */
  isThere(): boolean
  /** What serves a path; null where the site has no such file. */
  at(path: string): Page | null
}

export function createSite(folder: URL): Site {
  const served = new Map<string, Page>()
  const isFile = (path: string) =>
    statSync(new URL(path, folder), { throwIfNoEntry: false })?.isFile() ?? false

  const find = (path: string): Page | null => {
    // No file of the site needs an escape, so none can lead out of it.
    const names = path.replace(/\/$/, '').split('/')
    if (path !== '' && !names.every((name) => /^[\w@-][\w.@-]*$/.test(name))) return null
    const own = path === '' || path.endsWith('/') ? `${path}index.html` : path
    if (isFile(own)) return serve(new URL(own, folder))
    return isFile(`${path}/index.html`) ? redirect(`${PREFIX}${path}/`) : null
  }
  return {
    isThere: () => isFile('index.html'),
    at(path) {
      if (!path.startsWith(PREFIX)) return null
      const page = served.get(path) ?? find(path.slice(PREFIX.length))
      if (page) served.set(path, page)
      return page
    },
  }
}

export const site = createSite(SITE)

function serve(url: URL): Page {
  const type = TYPES[extname(url.pathname)] ?? 'application/octet-stream'
  const page = file(() => readFile(url), type)
  return async (request: HttpRequest) => {
    const response = await page(request)
    return { ...response, headers: { ...response.headers, 'content-security-policy': POLICY } }
  }
}

function redirect(location: string): Page {
  return async () => ({ status: 302, headers: { location } })
}
