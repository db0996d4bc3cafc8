/** Sends one request and keeps the start of its response. */
import type { Dispatcher } from 'undici'

export interface Exchange {
  status: number
  headers: Record<string, string>
  body: string
}

/** The complete response did not arrive in time. */
export class TimedOut extends Error {}

/** How much of a response is used. */
export interface Limits {
  /** How much of the body is kept, in bytes. */
  kept: number
  /** How much of it is read at most, so that the connection can be used again. */
  read: number
}

const LIMITS: Limits = { kept: 16 * 1024, read: 64 * 1024 }

/**
 * Sends a request. undici's `request` would make a stream of each response, which costs more than all
 * the rest.
 *
 * @param timeout How long the whole exchange may take, in milliseconds.
 */
export function exchange(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeout: number,
  { kept, read } = LIMITS,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let status = 0
    const headers: Record<string, string> = {}
    const chunks: Buffer[] = []
    let length = 0

    const end = () => {
      clearTimeout(timer)
      resolve({ status, headers, body: textOf(Buffer.concat(chunks).subarray(0, kept)) })
    }
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
      // A request that could not start in time is not sent.
      connection?.abort(error)
    }
    let late: TimedOut | undefined
    const timer = setTimeout(() => {
      late = new TimedOut()
      fail(late)
    }, timeout)

    agent.dispatch(request, {
      onRequestStart(controller) {
        connection = controller
        if (late) controller.abort(late)
      },
      onResponseStart(_controller, statusCode, fields) {
        status = statusCode
        for (const [name, value = ''] of Object.entries(fields)) {
          headers[name] = Array.isArray(value) ? value.join(', ') : value
        }
      },
      onResponseData(controller, chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length <= read) return
        end()
        controller.abort(new Error('the rest of the response is not needed'))
      },
      onResponseEnd: end,
      onResponseError: (_controller, error) => fail(error),
    })
  })
}

function textOf(body: Buffer): string {
  // Not every store can keep a NUL in text.
  return body.toString().replaceAll('\0', '\ufffd')
}
