// A receiver that is steered by requests, for runtimes and frameworks that run in a process of their own.
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import { Scenario, type Setting } from './scenario.ts'

let scenario = new Scenario({ secrets: ['none'], store: 'none', handler: ['returns'] })
let receive = fetchHandler(scenario.webhooks, scenario.handler, scenario.options)
let isConsumed = false

/** What a request does whose path ends in an underscore and a name; null for all others. */
export async function steer(url: string, json: () => Promise<unknown>): Promise<object | null> {
  const [, name] = /\/_(\w+)$/.exec(new URL(url, 'http://a').pathname) ?? []
  if (name === undefined) return null
  // Read in any case: workerd ends a connection on which something is unread.
  const given = await json()
  switch (name) {
    case 'start': {
      const setting = given as Setting & { consumed?: boolean }
      scenario = new Scenario(setting)
      receive = fetchHandler(scenario.webhooks, scenario.handler, scenario.options)
      isConsumed = setting.consumed ?? false
      return {}
    }
    case 'seen':
      return scenario.seen()
    case 'advance':
      await scenario.advance(Number(given))
      return {}
    case 'hold':
    case 'entered':
    case 'open':
      await scenario[name]()
      return {}
    default:
      return null
  }
}

export const current = (): { scenario: Scenario; isConsumed: boolean } => ({ scenario, isConsumed })

export async function handle(request: Request): Promise<Response> {
  const answer = await steer(request.url, () => request.json())
  if (answer) return Response.json(answer)
  if (isConsumed) await request.text()
  return receive(request)
}
