import { describe, expect, it, vi } from 'vitest'
import {
  type Attempt,
  type ClientOptions,
  type Logger,
  SupportChat,
  type Trace,
} from '../../src/index.js'
import {
  API_KEY,
  BASE_URL,
  captureSleeps,
  createClient,
  problem,
  rejection,
  useServer,
} from './support.ts'

const CONVERSATION = {
  ...{ id: 'a', status: 'open', created_at: 'a', updated_at: 'b' },
  ...{ transcript: [], handoff: null },
}

describe('logger', () => {
  const server = useServer()

  function record(): { logger: Logger; lines: [string, string, Record<string, unknown>][] } {
    const lines: [string, string, Record<string, unknown>][] = []
    const write = (level: string) => (message: string, fields: object) => {
      lines.push([level, message, { ...fields }])
    }
    return {
      logger: {
        debug: write('debug'),
        info: write('info'),
        warn: write('warn'),
        error: write('error'),
      },
      lines,
    }
  }

  it('receives every attempt', async () => {
    captureSleeps()
    server.respond(problem(503), 'network error', CONVERSATION)
    const { logger, lines } = record()
    await createClient({ logger }).conversations.get('conv_1')
    const about = {
      operation: 'conversations.get',
      method: 'GET',
      template: '/v1/conversations/{id}',
      path: '/v1/conversations/conv_1',
    }
    expect(lines).toMatchObject([
      ['debug', 'request', { ...about, retry: 0 }],
      [
        'info',
        'response',
        { ...about, retry: 0, status: 503, requestId: 'req_1', durationMs: expect.any(Number) },
      ],
      ['warn', 'retry', { ...about, retry: 0, delayMs: 500, reason: '503' }],
      ['debug', 'request', { ...about, retry: 1 }],
      ['warn', 'retry', { ...about, retry: 1, delayMs: 1000, reason: expect.any(String) }],
      ['debug', 'request', { ...about, retry: 2 }],
      ['info', 'response', { ...about, retry: 2, status: 200, requestId: null }],
    ])
  })

  it('receives an error only where the call fails', async () => {
    captureSleeps()
    server.respond('network error')
    const { logger, lines } = record()
    await rejection(createClient({ logger, maxRetries: 1 }).conversations.get('c1'))
    expect(lines.map(([level, message]) => [level, message])).toEqual([
      ['debug', 'request'],
      ['warn', 'retry'],
      ['debug', 'request'],
      ['error', 'failure'],
    ])
    expect(lines.at(-1)?.[2]).toMatchObject({
      operation: 'conversations.get',
      retry: 1,
      outcome: 'unknown',
      message: expect.any(String),
      durationMs: expect.any(Number),
    })
  })

  it.each([
    ['off', []],
    ['error', ['failure']],
    ['warn', ['retry', 'failure']],
    ['info', ['response', 'retry', 'failure']],
    ['debug', ['request', 'response', 'retry', 'request', 'failure']],
  ] as const)('receives the lines of the level %s', async (logLevel, expected) => {
    captureSleeps()
    const options = { maxRetries: 1, logLevel }
    const { logger, lines } = record()
    server.respond(problem(503), 'network error')
    await rejection(createClient({ ...options, logger }).conversations.get('c1'))
    expect(lines.map(([, message]) => message)).toEqual(expected)
  })

  it('is the console by default, from warnings on or as the environment says', async () => {
    captureSleeps()
    const levels = ['debug', 'info', 'warn', 'error'] as const
    const spies = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}))
    const clientOf = (options: ClientOptions) =>
      new SupportChat({ apiKey: API_KEY, baseURL: BASE_URL, ...options })
    const counts = async () => {
      server.respond(problem(503), 'network error')
      await rejection(clientOf({ maxRetries: 1 }).conversations.get('c1'))
      return spies.map((spy) => spy.mock.calls.splice(0).length)
    }
    expect(await counts()).toEqual([0, 0, 1, 1])
    vi.stubEnv('SUPPORT_CHAT_LOG', 'debug')
    expect(await counts()).toEqual([2, 1, 1, 1])
    vi.stubEnv('SUPPORT_CHAT_LOG', 'off')
    expect(await counts()).toEqual([0, 0, 0, 0])
    vi.stubEnv('SUPPORT_CHAT_LOG', 'loud')
    expect(() => clientOf({})).toThrow('must be one of off, error, warn, info, debug')
    expect(() => clientOf({ logLevel: 'info' })).not.toThrow()
    vi.unstubAllEnvs()
  })

  it('never sees a key, a cookie or a query', async () => {
    server.respond(problem(401, { 'set-cookie': 'session=1' }))
    const { logger, lines } = record()
    await rejection(
      createClient({ logger }).conversations.list(
        { cursor: 'private' },
        { headers: { cookie: 'session=2' } },
      ),
    )
    const text = JSON.stringify(lines)
    expect(text).toContain('"authorization":"[redacted]"')
    expect(text).toContain('"set-cookie":"[redacted]"')
    for (const secret of [API_KEY, 'session=', 'private']) expect(text).not.toContain(secret)
  })

  it('cannot fail a call', async () => {
    server.respond({ ok: true })
    const fail = () => {
      throw new Error('disk full')
    }
    const logger = { debug: fail, info: fail, warn: fail, error: fail }
    expect(await createClient({ logger }).conversations.get('c1')).toEqual({ ok: true })
  })
})

describe('trace', () => {
  const server = useServer()

  it('runs around every attempt and sees what came back', async () => {
    captureSleeps()
    server.respond(problem(503), 'network error', { ok: true })
    const seen: unknown[] = []
    const trace: Trace = async (attempt, run) => {
      const { method, template, path, retry } = attempt
      const result = await run().then(
        ({ status, requestId }) => ({ status, requestId }),
        (error: Error) => error.name,
      )
      seen.push([method, template, path, retry, result])
    }
    await createClient({ trace }).conversations.get('conv_1')
    const request = ['GET', '/v1/conversations/{id}', '/v1/conversations/conv_1']
    expect(seen).toEqual([
      [...request, 0, { status: 503, requestId: 'req_1' }],
      [...request, 1, 'APIConnectionError'],
      [...request, 2, { status: 200, requestId: null }],
    ])
  })

  it.each<[string, Trace]>([
    ['does not run the attempt', async () => {}],
    ['runs it twice', async (_, run) => Promise.all([run(), run()])],
    [
      'throws',
      () => {
        throw new Error('no tracer')
      },
    ],
    [
      'rejects afterwards',
      async (_, run) => {
        await run()
        throw new Error('no exporter')
      },
    ],
  ])('changes nothing when it %s', async (_, trace) => {
    server.respond({ ok: true })
    expect(await createClient({ trace }).conversations.get('c1')).toEqual({ ok: true })
    expect(server.requests).toHaveLength(1)
  })

  it('rejects although the hook swallows the failure', async () => {
    server.respond('network error')
    const trace = vi.fn(async (_: Attempt, run: () => Promise<unknown>) => run().catch(() => {}))
    expect(
      await rejection(createClient({ trace, maxRetries: 0 }).conversations.get('c1')),
    ).toMatchObject({
      name: 'APIConnectionError',
    })
    expect(trace).toHaveBeenCalledOnce()
  })

  it.each<[string, Trace]>([
    ['runs nothing', () => new Promise(() => {})],
    ['runs the attempt', (_, run) => run().then(() => new Promise(() => {}))],
  ])('cannot defeat the timeout with a promise that never settles (%s)', async (_, trace) => {
    const fetch = () => new Promise<Response>(() => {})
    const call = createClient({ trace, fetch, maxRetries: 0, timeout: 20 }).conversations.get('c1')
    expect(await rejection(call)).toMatchObject({ name: 'APITimeoutError' })
  })

  it('leaves no rejection behind where it throws and the attempt then times out', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const trace: Trace = () => {
      throw new Error('no tracer')
    }
    const fetch = () => new Promise<Response>(() => {})
    await rejection(
      createClient({ trace, fetch, maxRetries: 0, timeout: 10 }).conversations.get('c1'),
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('keeps a response that arrived before a hook that never settles', async () => {
    server.respond({ ok: true })
    const trace: Trace = (_, run) => run().then(() => new Promise(() => {}))
    expect(await createClient({ trace, timeout: 200 }).conversations.get('c1')).toEqual({
      ok: true,
    })
  })
})
