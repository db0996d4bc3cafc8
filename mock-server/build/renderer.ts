import scalar from '@scalar/fastify-api-reference'

interface Route {
  url: string
  handler(request: unknown, reply: Reply): unknown
}

interface Reply {
  header(): Reply
  send(body: string): void
}

/**
 * The program that renders the API reference in a browser, as one script. Scalar's plugin for Fastify
 * carries it as a string that it serves; the package that it is made from brings two hundred others.
 */
export function renderer(): string {
  const scripts: string[] = []
  const reply: Reply = { header: () => reply, send: (body) => scripts.push(body) }
  const fastify = {
    route({ url, handler }: Route) {
      if (url.endsWith('.js')) handler({}, reply)
    },
  }
  scalar(fastify as never, { configuration: { url: '/openapi.yaml' } }, () => {})
  const [script] = scripts
  if (script === undefined) throw new Error('@scalar/fastify-api-reference serves no script.')
  return script
}
