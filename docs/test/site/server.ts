import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

export interface Files {
  /** Where the folder is, with a slash at the end. */
  url: string
  close(): void
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Serves files below a path, as any web server does. */
export async function serveFiles(folder: string, base: string): Promise<Files> {
  const server = createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://localhost').pathname
    const own = path.startsWith(base) ? path.slice(base.length) : null
    const file =
      own === null ? '' : join(folder, own, own === '' || own.endsWith('/') ? 'index.html' : '')
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${base}`, close: () => server.close() }
}
