/** One request and what is kept of its answer, in a given time. */
import type { Dispatcher } from 'undici'

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The answer was not there in time, or not whole. */
export class TimedOut extends Error {}

/** How much is kept of an answer's body, in bytes. */
const KEPT = 16 * 1024
/** How much of it is read at most, so that the connection can be used again. */
const READ = 64 * 1024

/**
 * Sends a request. undici's `request` would make a stream of each answer, which costs more than the
 * rest of it.
 *
 * @param timeout How long everything may take, in milliseconds.
 */
export function exchange(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeout: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let connection: Dispatcher.DispatchController | undefined
    let status = 0
    const headers: Record<string, string> = {}
    const chunks: Buffer[] = []
    let length = 0

    const end = () => {
      clearTimeout(timer)
      resolve({ status, headers, body: textOf(Buffer.concat(chunks)) })
    }
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
      // What comes too late, if at all, is not sent.
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
        if (length <= READ) return
        end()
        controller.abort(new Error('the rest of the answer is not wanted'))
      },
      onResponseEnd: end,
      onResponseError: (_controller, error) => fail(error),
    })
  })
}

function textOf(body: Buffer): string {
  // Not every store can keep a NUL in a text.
  return body.subarray(0, KEPT).toString().replaceAll('\0', '\ufffd')
}
