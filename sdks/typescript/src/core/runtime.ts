import { USER_AGENT } from '../generated/names.js'
import { VERSION } from '../version.js'

/** The globals by which runtimes differ. Any of them may be missing. */
interface Globals {
  document?: unknown
  importScripts?: unknown
  navigator?: { userAgent?: string }
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } }
}

const globals: Globals = globalThis

/** Whether this is a page or a web worker, where everybody can read the key. */
export function isBrowser(): boolean {
  // Bun and Deno name the Node.js version that they emulate.
  return !globals.process?.versions?.node && !!(globals.document || globals.importScripts)
}

/** The value of an environment variable. A blank or unreadable one counts as unset. */
export function readEnv(name: string): string | undefined {
  try {
    return globals.process?.env?.[name]?.trim() || undefined
  } catch {
    return undefined // Deno without --allow-env
  }
}

/** Names package and runtime. Null in browsers, where a script may not set the header. */
export function userAgent(): string | null {
  if (isBrowser()) return null
  // Every server runtime but Node.js 20 has a navigator that names it.
  const runtime = globals.navigator?.userAgent ?? `Node.js/${globals.process?.versions?.node}`
  return `${USER_AGENT}/${VERSION} (${runtime})`
}
