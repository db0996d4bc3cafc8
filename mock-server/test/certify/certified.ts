import { afterAll, beforeAll } from 'vitest'
import type { ReceiverOptions } from '../../src/certify/receiver/run.ts'
import { certifyReceiver } from '../../src/certify/receiver/run.ts'
import type { Report } from '../../src/certify/types.ts'
import { createLog } from '../../src/door/log.ts'
import { type Server, startServer } from '../../src/server.ts'
import { SECRET } from './receivers.ts'

/** Certifies receivers within this process, with the events of a contract. */
export function certifier(contract?: string) {
  let server: Server
  beforeAll(async () => {
    server = await startServer({
      port: 0,
      host: '127.0.0.1',
      contract,
      log: createLog('silent'),
      sandbox: { store: { file: ':memory:' }, allowPrivate: true },
    })
  })
  afterAll(() => server.close())
  return (options: Partial<ReceiverOptions> & { url: string }): Promise<Report> => {
    const [service] = server.services()
    if (!service?.sandboxes) throw new Error('there is no sandbox')
    const { contract, sandboxes } = service
    return certifyReceiver(
      { secrets: [SECRET], ...options },
      { contract, bindings: sandboxes.bindings, baseUrl: server.url, version: '1.2.3' },
    )
  }
}

export const idsOf = ({ checks }: Report, verdict: string) =>
  checks.filter((check) => check.verdict === verdict).map(({ id }) => id)

export const findingOf = ({ checks }: Report, id: string) => checks.find((check) => check.id === id)
