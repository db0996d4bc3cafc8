/** Why a database cannot be used, in a sentence that says what to do. */
import { StoreError } from '../types.ts'

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']

/** A failure of the database that ends by itself, or when its operator has acted. */
class Unavailable extends StoreError {}

/** Connections, resources and shutdowns (PostgreSQL, appendix A), and what the client itself says. */
const CLASSES = /^(?:08|53|57P)/
const LOST = /^(?:Connection terminated|timeout exceeded|Query read timeout|Client has encountered)/

/** What a statement failed with, as a failure of the store where the database was not to be had. */
export function failureOf(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isLost = UNREACHABLE.includes(code) || CLASSES.test(code) || LOST.test(message)
  return isLost ? new Unavailable(message || code, { cause: error }) : error
}

/** The error as it is, where the database is not the reason. Shows no password. */
export function explained(failure: unknown, url: string): unknown {
  const error = failure instanceof Unavailable ? failure.cause : failure
  if (error instanceof StoreError) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const { hostname = '', port = '', pathname = '', username = '' } = URL.parse(url) ?? {}
  const server = `PostgreSQL at ${hostname}${port && `:${port}`}`
  const user = decodeURIComponent(username) || 'of this system'
  const database = decodeURIComponent(pathname.slice(1)) || user
  const causes: Record<string, string> = {
    ENOTFOUND: `${hostname} is unknown. Check the host in the URL of the database.`,
    EAI_AGAIN: `${hostname} cannot be resolved now. Check the host in the URL of the database, and the network.`,
    '28P01': `${server} refuses the password of the user ${user}. Check the URL of the database.`,
    '28000': `${server} refuses the user ${user}. Check the URL of the database, and whether it needs TLS (sslmode=require).`,
    '3D000': `${server} has no database ${database}. Create it, or name another one.`,
    '42501': `The user ${user} does not have a right: ${message}. Let it create a schema in the database, or create the schema for it.`,
    '53300': `${server} has no connection left. Allow more, or put a pooler in front.`,
    '57P03': `${server} is starting. Try again.`,
  }
  const told = UNREACHABLE.includes(code)
    ? `${server} cannot be reached. Start it, or check the URL of the database.`
    : causes[code]
  if (told) return new StoreError(told, { cause: error })
  if (/timeout|terminated/i.test(message)) {
    return new StoreError(
      `${server} does not respond. Check the URL of the database, and the network.`,
      {
        cause: error,
      },
    )
  }
  return error
}
