import { list, object } from '../contract/json.ts'
import type { Context } from './context.ts'

/**
 * The public address of the service: the first server of the document, with the defaults of its variables.
 * Null for a placeholder: an address that is relative, or on the reader's own machine.
 */
export function serverOf(context: Context, pathPrefix: string): string | null {
  const [first] = list(context.document.servers)
  const { url, variables } = object(first)
  if (typeof url !== 'string') return null
  const text = url.replace(/\{([^{}]*)\}/g, (_, name: string) =>
    String(object(object(variables)[name]).default ?? ''),
  )
  if (!/^https?:\/\/[^/\\\s?#@]+(\/[^\\\s?#]*)?$/i.test(text) || !URL.canParse(text)) return null
  const { hostname, origin, pathname } = new URL(text)
  if (LOOPBACK.test(hostname)) return null
  const base = origin + pathname.replace(/\/+$/, '')
  if (pathPrefix === '' || !base.endsWith(pathPrefix)) return base
  const message = `the address of the server ends in ${pathPrefix}, which all paths begin with, so no client has it as its default`
  context.note(object(first), 'url', message, `Remove ${pathPrefix} from the address`)
  return null
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i
