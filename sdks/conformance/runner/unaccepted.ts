import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

/** The length of the queue of connections that wait to be accepted. */
const BACKLOG = 1

// A thread that listens and then never runs again, so that it accepts nothing.
const LISTENER = `
const { createServer } = require('node:net')
const { parentPort } = require('node:worker_threads')
const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: ${BACKLOG} }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})`

/**
 * Returns an address to which no connection is ever made, nor refused. Its queue is full, and the
 * system ignores further attempts to connect.
 */
export async function unacceptedAddress(): Promise<{ url: string; close(): void }> {
  const listener = new Worker(LISTENER, { eval: true })
  const [port] = (await once(listener, 'message')) as [number]
  const queued: Socket[] = []
  // Linux queues one connection more than the backlog.
  while (queued.length <= BACKLOG) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    queued.push(socket)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of queued) socket.destroy()
      listener.terminate()
    },
  }
}
