/** MCP over stdin and stdout, which carries nothing else. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

/** @param onEnd Called once stdin has ended and all of its requests have their responses. */
export async function serveStdio(server: Server, onEnd: () => void): Promise<void> {
  const transport = new StdioServerTransport()
  await server.connect(transport)
  const waiting = new Set<unknown>()
  let hasEnded = false
  const { onmessage } = transport
  const send = transport.send.bind(transport)
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) waiting.add(message.id)
    // A cancelled request gets no response.
    if ('method' in message && message.method === CANCELLED)
      waiting.delete(message.params?.requestId)
    onmessage?.(message)
  }
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) waiting.delete(message.id)
    endIfDone()
  }
  const end = () => {
    hasEnded = true
    endIfDone()
  }
  process.stdin.once('end', end).once('close', end)

  function endIfDone(): void {
    if (hasEnded && waiting.size === 0) onEnd()
  }
}

const CANCELLED = 'notifications/cancelled'
