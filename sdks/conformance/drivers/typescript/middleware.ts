/** One middleware of a case. */
export interface Layer {
  tell?: string
  set_header?: Record<string, string>
  respond?: Made
  replace?: Made
  again?: true
  raise?: string
}

interface Made {
  status: number
  headers?: Record<string, string>
  json: unknown
}

/** An error of the middleware itself. */
class Own extends Error {
  override readonly name = 'Own'
}

type Next = (request: Request) => Promise<Response>

/** Makes the middleware of a case. What it is told goes into `told`. */
export function middlewareOf(layers: readonly Layer[], told: object[]) {
  return layers.map((layer) => async (request: Request, next: Next, attempt: object) => {
    if (layer.tell !== undefined) told.push({ by: layer.tell, ...attempt })
    if (layer.raise !== undefined) throw new Own(layer.raise)
    if (layer.respond) return made(layer.respond)
    if (layer.replace) {
      await (await next(request)).text()
      return made(layer.replace)
    }
    if (layer.again) await (await next(request.clone())).text()
    const changed = new Request(request)
    for (const [name, value] of Object.entries(layer.set_header ?? {})) {
      changed.headers.set(name, value)
    }
    return next(changed)
  })
}

function made({ status, headers, json }: Made): Response {
  return Response.json(json, { status, ...(headers && { headers }) })
}
