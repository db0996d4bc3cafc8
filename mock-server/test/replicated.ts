/** A server, or two that share its data behind a balancer where TEST_STORE says `replicas`. */
import { type Server, type ServerOptions, startServer } from '../src/server.ts'
import { balancer } from './balancer.ts'
import { isReplicated } from './stores.ts'

export async function startReplicated(options: ServerOptions): Promise<Server> {
  const first = await startServer(options)
  if (!isReplicated) return first
  const second = await startServer({ ...options, port: 0 })
  return balanced(first, second)
}

/** The first server, whose requests both get. */
export async function balanced<T extends { url: string; close: () => Promise<void> }>(
  first: T,
  second: T,
): Promise<T> {
  const { url, close } = await balancer([first.url, second.url])
  const closeAll = async () => {
    await Promise.all([close(), first.close(), second.close()])
  }
  return { ...first, url, close: closeAll }
}
