/** What the certification of a receiver finds. */
import { readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it, onTestFinished } from 'vitest'
import { badgeOf } from '../../src/certify/badge.ts'
import { pageOf } from '../../src/certify/html.ts'
import { RECEIVER_CHECKS } from '../../src/certify/receiver/checks.ts'
import type { Report } from '../../src/certify/types.ts'
import { inWords } from '../../src/certify/words.ts'
import { certifier, findingOf, idsOf } from './certified.ts'
import { type Running, right, running, SECRET, wrong } from './receivers.ts'

const OLD = 'whsec_before_the_rotation'
const certify = certifier()

async function started(making: Promise<Running>): Promise<Running> {
  const receiver = await making
  onTestFinished(receiver.close)
  return receiver
}

const serving = (listener: RequestListener) => started(running(listener))

/** As the right receiver, but for some requests. */
async function altered(alter: (response: ServerResponse, count: number) => boolean) {
  const { url } = await started(right())
  let count = 0
  return serving(async (request, response) => {
    if (alter(response, ++count)) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', headers } = request
    const { 'transfer-encoding': _, connection: __, ...others } = headers
    const answer = await fetch(url, {
      method,
      headers: others as Record<string, string>,
      ...(method === 'POST' && { body: Buffer.concat(chunks) }),
    }).catch(() => null)
    response.writeHead(answer?.status ?? 502).end()
  })
}

it('a receiver that does everything right has full marks', async () => {
  const { url, effects } = await started(right([SECRET, OLD]))
  const report = await certify({ url, effects, secrets: [SECRET, OLD] })
  expect(idsOf(report, 'fail')).toEqual([])
  expect(report.score.percent).toBe(100)
  expect(report.complete).toBe(true)
  expect(idsOf(report, 'not_observable')).toEqual(['compares-in-constant-time'])
  expect(idsOf(report, 'not_seen')).toEqual(['accepts-after-failure'])
})

it('without a URL of effects, what the receiver did is not observable, and does not count', async () => {
  const { url } = await started(right())
  const report = await certify({ url })
  expect(report.score.percent).toBe(100)
  expect(idsOf(report, 'not_observable').filter((id) => id.startsWith('handles-'))).toHaveLength(5)
})

it('a receiver that does much wrong gets the findings that it deserves, and no others', async () => {
  const { url, effects } = await started(wrong(60))
  const report = await certify({ url, effects, thresholds: { quick: 40 } })
  expect(idsOf(report, 'fail')).toEqual([
    'accepts-unknown-kinds',
    'accepts-any-order',
    'tells-no-digest',
    'accepts-each-encoding',
    'accepts-any-text',
    'accepts-any-formatting',
    'limits-bodies',
    'accepts-chunks',
    'survives-other-requests',
    'responds-quickly',
    'handles-duplicates-once',
    'handles-duplicates-at-once-once',
    'handles-attempts-once',
  ])
  expect(findingOf(report, 'accepts-unknown-kinds')?.seen).toBe('future.event: status 500')
})

it('a receiver that verifies nothing fails each check of forged events', async () => {
  const { url } = await serving((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  const failed = idsOf(await certify({ url }), 'fail')
  expect(failed).toEqual([
    'refuses-unsigned',
    'refuses-empty-signature',
    'refuses-wrong-signature',
    'refuses-changed-body',
    'refuses-part-of-signature',
    'refuses-other-algorithms',
    'survives-malformed-signatures',
    'limits-bodies',
    'survives-other-requests',
  ])
})

it('work that a forged event starts is found, although the event is refused', async () => {
  const handled: string[] = []
  const { url, effects } = await started(
    running(async (request, response) => {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += chunk
      handled.push(/"id":"(evt_\w+)"/.exec(text)?.[1] ?? 'none')
      response.writeHead(401).end()
    }, handled),
  )
  const report = await certify({ url, effects })
  expect(findingOf(report, 'handles-no-forgery')?.verdict).toBe('fail')
  expect(findingOf(report, 'handles-duplicates-once')?.verdict).toBe('not_seen')
})

it('an event that is accepted and never handled is lost', async () => {
  const { url } = await started(right())
  const { effects } = await started(running(() => {}, []))
  const report = await certify({ url, effects, thresholds: { handled: 0 } })
  expect(findingOf(report, 'handles-what-it-accepts')?.verdict).toBe('fail')
})

it('an event that the receiver failed once must be accepted when it comes again', async () => {
  const failing = await altered((response, count) => {
    if (count === 3) response.writeHead(503).end()
    return count === 3
  })
  const report = await certify({ url: failing.url })
  expect(idsOf(report, 'fail')).toEqual(['accepts-every-kind'])
  expect(findingOf(report, 'accepts-after-failure')?.verdict).toBe('pass')
})

it('a receiver that cannot respond to many events at once has not stopped', async () => {
  const sockets = new Set<Socket>()
  const busy = await altered((response) => {
    const { socket } = response
    if (!socket) return true
    if (!sockets.has(socket)) socket.on('close', () => sockets.delete(socket))
    return sockets.add(socket).size > 5
  })
  const report = await certify({ url: busy.url, thresholds: { attempt: 2000 } })
  expect(idsOf(report, 'fail')).toEqual(['withstands-a-burst', 'responds-in-time'])
  expect(report.complete).toBe(true)
})

it('effects that cannot be read in the end are not observable', async () => {
  const { url } = await started(right())
  let reads = 0
  const list = await serving((_, response) => {
    response.writeHead(++reads > 1 ? 500 : 200).end('[]')
  })
  const report = await certify({ url, effects: list.url })
  expect(findingOf(report, 'handles-what-it-accepts')).toMatchObject({
    verdict: 'not_observable',
    seen: expect.stringContaining('status 500'),
  })
  expect(report.score.percent).toBe(100)
})

describe('a receiver that cannot be judged to the end', () => {
  it('where nothing listens, nothing else is judged', async () => {
    const { url, close } = await running(() => {})
    await close()
    const report = await certify({ url })
    expect(idsOf(report, 'fail')).toEqual(['responds'])
    expect(idsOf(report, 'not_seen')).toHaveLength(RECEIVER_CHECKS.length - 1)
    expect(report).toMatchObject({ complete: false, score: { percent: 0 }, timings: null })
  })

  it('one that hangs is left after its first event', async () => {
    const { url } = await serving(() => {})
    const report = await certify({ url, thresholds: { attempt: 50 } })
    expect(idsOf(report, 'fail')).toEqual(['responds'])
  })

  it('one that dies half way is reported with what was judged', async () => {
    const dying = await altered((response, count) => {
      if (count > 20) response.destroy()
      return count > 20
    })
    const report = await certify({ url: dying.url })
    expect(report.complete).toBe(false)
    expect(idsOf(report, 'pass')).toContain('accepts-every-kind')
    expect(findingOf(report, 'stays-up')?.verdict).toBe('fail')
    expect(findingOf(report, 'withstands-a-burst')?.verdict).toBe('not_seen')
  })

  it('one that stops responding in time is told so', async () => {
    const hanging = await altered((_, count) => count > 20)
    const report = await certify({ url: hanging.url, thresholds: { attempt: 1000 } })
    expect(findingOf(report, 'responds-in-time')?.verdict).toBe('fail')
  })

  it('a run that is stopped is reported', async () => {
    const stopping = new AbortController()
    const receiver = await altered((_, count) => {
      if (count === 12) stopping.abort()
      return false
    })
    const report = await certify({ url: receiver.url, stopping: stopping.signal })
    expect(report.complete).toBe(false)
    expect(idsOf(report, 'fail')).toEqual([])
    expect(idsOf(report, 'pass')).toContain('accepts-every-kind')
  })
})

it('a redirect is told as one, since the service does not follow it', async () => {
  const { url } = await serving((request, response) => {
    request.resume().on('end', () => response.writeHead(308, { location: '/hooks' }).end())
  })
  const report = await certify({ url })
  expect(findingOf(report, 'accepts-every-kind')?.seen).toContain('status 308, a redirect')
})

it.each(['http://93.184.216.34/webhooks', 'http://169.254.169.254/'])(
  '%s is not called',
  async (url) => {
    await expect(certify({ url })).rejects.toThrow('The receiver is not called')
  },
)

describe('the report', () => {
  const hostile = '/<script>alert(1)</script>?token=hidden'

  async function reported(): Promise<Report> {
    const { url, effects } = await started(wrong(0))
    return certify({ url: new URL(hostile, url).href, effects, secrets: [SECRET, OLD] })
  }

  it('is the same in every run, apart from times', async () => {
    const [one, other] = [await reported(), await reported()]
    const steady = ({ at: _, duration_ms: __, timings: ___, target: ____, ...rest }: Report) => rest
    expect(steady(other)).toEqual(steady(one))
  })

  it('matches its schema', async () => {
    const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }))
    const file = new URL('../../certify.schema.json', import.meta.url)
    const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')))
    validate(await reported())
    expect(validate.errors).toBeNull()
  })

  it('holds no secret, no signature and no markup of others in any form', async () => {
    const report = await reported()
    const forms = [
      JSON.stringify(report),
      inWords(report, (_, text) => text),
      pageOf(report),
      badgeOf(report),
    ]
    for (const form of forms) {
      for (const hidden of [SECRET, OLD, 'hidden', '<script', /[0-9a-f]{64}/])
        expect(form).not.toMatch(hidden)
    }
  })
})

it('the guide has a section for each check, with its severity, and no others', () => {
  const guide = readFileSync(new URL('../../../docs/certify.md', import.meta.url), 'utf8')
  const sections = [...guide.matchAll(/^### (\S+)\n\n\*\*[^*]+\*\*\s+Severity:\s+(\w+)\./gm)]
  const told = sections.map(([, id, severity]) => ({ id, severity }))
  expect(told).toEqual(RECEIVER_CHECKS.map(({ id, severity }) => ({ id, severity })))
})
