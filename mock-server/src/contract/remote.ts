/** Fetches documents: within a time, up to a size, and over few redirects. */

/** How long it may take, in milliseconds. */
const TIMEOUT = 10_000
/** How large a document may be, in bytes. */
const LIMIT = 20 * 1024 * 1024
const MOST_REDIRECTS = 5

export function isRemote(file: string): boolean {
  return /^https?:\/\//i.test(file)
}

/** The address as it may be shown: what follows the path may be secret. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/**
 * Fetches a document.
 *
 * @param origin The only origin that it may come from. @default any
 * @throws {Error} with a sentence that says why there is none
 */
export async function fetchDocument(url: string, origin?: string): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT)
  let at = new URL(url)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    if (!isRemote(at.href)) throw new Error('Only `http:` and `https:` URLs are followed.')
    if (at.username || at.password) {
      throw new Error('The URL has credentials. Save a copy of the document, and name the file.')
    }
    if (origin !== undefined && at.origin !== origin) {
      throw new Error(`References to other origins than ${origin} are not followed.`)
    }
    const response = await responseOf(at, signal)
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel()
      at = new URL(location, at)
      continue
    }
    if (!response.ok) throw new Error(`The server responded with status ${response.status}.`)
    return read(response, signal)
  }
  throw new Error(`It has more than ${MOST_REDIRECTS} redirects.`)
}

async function responseOf(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal })
  } catch (error) {
    throw failure(error, signal)
  }
}

async function read(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength
      if (length > LIMIT) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw failure(error, signal)
  }
  if (length > LIMIT) throw new Error(`It has more than ${LIMIT} bytes.`)
  return Buffer.concat(chunks).toString('utf8')
}

function failure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return new Error(`It did not arrive within ${TIMEOUT / 1000} seconds.`)
  const { cause, message } = error as Error
  const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message
  return new Error(`The server cannot be reached (${reason}).`)
}
