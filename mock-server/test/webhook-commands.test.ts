/** `verify` and `sign` as users run them: the built program, its output and its exit codes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY, EVENT, hmac, OTHER_SECRET, SECRET, signature } from './deliveries.ts'

const BIN = fileURLToPath(new URL('../bin.js', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'webhook-commands-'))
  writeFileSync(join(folder, 'body.json'), BODY)
  writeFileSync(join(folder, 'headers.txt'), `${HEADERS.join('\r\n')}\r\n\r\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const ENV = { SECRET, OTHER: OTHER_SECRET, BLANK: ' ', QUOTED: `'${SECRET}'` }
const HEADERS = [`X-Service-Signature: ${signature()}`, `x-service-event:${EVENT.event}`]
const SIGNED = HEADERS.flatMap((line) => ['--header', line])

function run(args: string[], input: string | Buffer = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...ENV },
    input,
    encoding: 'utf8',
  })
  for (const secret of [SECRET, OTHER_SECRET]) expect(stdout + stderr).not.toContain(secret)
  return { status, stdout, stderr, lines: stdout.split('\n') }
}
const verify = (...args: string[]) =>
  run(['verify', '--secret-env', 'SECRET', '--body', 'body.json', ...args])

describe('verify', () => {
  it('prints only ok on its first line for a valid delivery and ends with 0', () => {
    const { status, lines, stderr } = verify(...SIGNED)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines[0]).toBe('ok')
    expect(lines[1]).toBe('The signature matches SECRET.')
    expect(lines.at(-2)).toBe('A receiver returns 204.')
    expect(lines.at(-1)).toBe('')
  })

  it('prints only the code on its first line for an invalid one, then the reason, and ends with 1', () => {
    const args = ['verify', '--secret-env', 'QUOTED', '--body', '-', ...SIGNED]
    const { status, lines, stderr } = run(args, `${BODY}\n`)
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(lines).toEqual([
      'signature_mismatch',
      expect.stringContaining('ends with a line break'),
      expect.stringContaining('QUOTED has quotes around the secret'),
      'A receiver returns 401. The service does not retry the delivery, so the event is lost.',
      '',
    ])
    expect(run(['verify', '--secret-env', 'BLANK', '--body', 'body.json']).lines).toEqual([
      'missing_secret',
      'A secret is missing or blank.',
      'BLANK is blank. Set it to the signing secret.',
      'A receiver returns 500. The service retries the delivery.',
      '',
    ])
  })

  it('reads headers from a file, as curl does', () => {
    expect(verify('--header', '@headers.txt').lines[0]).toBe('ok')
    expect(verify('--header', '@headers.txt', '--header', 'x-Service-Event: a').lines[0]).toBe(
      'duplicate_header',
    )
    expect(verify().lines[0]).toBe('missing_signature')
  })

  it('tries every secret', () => {
    const both = ['--secret-env', 'OTHER', '--secret-env', 'SECRET']
    const { status, lines } = run(['verify', ...both, '--body', 'body.json', ...SIGNED])
    expect(status).toBe(0)
    expect(lines[1]).toContain('matches SECRET, not OTHER')
  })

  it('accepts a tolerance', () => {
    expect(verify(...SIGNED, '--tolerance', '60').lines[0]).toBe('stale_event')
    expect(verify(...SIGNED, '--tolerance', '1e9').status).toBe(2)
  })

  it('prints JSON for programs', () => {
    const { status, stdout } = verify(...SIGNED, '--json', '--tolerance', '0')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      code: 'stale_event',
      status: 400,
      findings: [{ name: 'stale_event', text: expect.stringContaining('tolerance') }],
    })
  })

  it('refuses a body over the limit of receivers, and reads at most 16 MiB', () => {
    const args = ['verify', '--secret-env', 'SECRET', '--body', '-']
    const large = run(args, Buffer.alloc(16 * 1024 * 1024, ' '))
    expect(large.lines[0]).toBe('payload_too_large')
    const larger = run(args, Buffer.alloc(16 * 1024 * 1024 + 1, ' '))
    expect(larger).toMatchObject({ status: 2, stdout: '' })
    expect(larger.stderr).toContain('--body: the input is larger than 16384 KiB.')
  })
})

describe('sign', () => {
  it('prints the headers of a delivery, a line each', () => {
    const { status, lines, stderr } = run(['sign', '--secret-env', 'SECRET', '--body', 'body.json'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines).toEqual([
      `x-service-signature: ${signature()}`,
      `x-service-event: ${EVENT.event}`,
      'content-type: application/json',
      '',
    ])
  })

  it('prints them as JSON for programs', () => {
    const { stdout } = run(['sign', '--secret-env', 'SECRET', '--body', 'body.json', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      'x-service-signature': signature(),
      'x-service-event': EVENT.event,
      'content-type': 'application/json',
    })
  })

  it('accepts only one secret', () => {
    const named = ['--secret-env', 'SECRET', '--secret-env', 'SECRET']
    const { status, stderr } = run(['sign', ...named, '--body', 'body.json'])
    expect(status).toBe(2)
    expect(stderr).toContain('Give --secret-env once')
  })

  it.each(['hex', 'base64', 'base64url'] as const)(
    'writes %s, which verify accepts',
    (encoding) => {
      const args = [
        '--secret-env',
        'SECRET',
        '--body',
        'body.json',
        '--signature-encoding',
        encoding,
      ]
      const { stdout } = run(['sign', ...args])
      expect(stdout).toContain(`x-service-signature: sha256=${hmac(BODY).toString(encoding)}\n`)
      writeFileSync(join(folder, 'signed.txt'), stdout)
      expect(verify('--header', '@signed.txt').status).toBe(0)
    },
  )

  it('prints headers that verify accepts after a request over HTTP', async () => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      response.end(JSON.stringify([request.headers, Buffer.concat(chunks).toString()]))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { stdout } = run(['sign', '--secret-env', 'SECRET', '--body', 'body.json'])
    const headers = Object.fromEntries(
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(': ')),
    )
    const body = readFileSync(join(folder, 'body.json'))
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
    const [received, text] = (await response.json()) as [Record<string, string>, string]
    server.close()
    const lines = Object.entries(received).flatMap(([name, value]) => [
      '--header',
      `${name}: ${value}`,
    ])
    expect(run(['verify', '--secret-env', 'SECRET', '--body', '-', ...lines], text).status).toBe(0)
  })

  it.each([
    ['no JSON', 'invalid_json', false],
    ['[]', 'invalid_envelope', false],
    ['{"event":7}', 'invalid_envelope', false],
    ['{"event":"a"}', 'invalid_envelope', true],
    [BODY.replace(EVENT.event, 'a\\r\\nx-other: b'), '', false],
    [BODY.replace(EVENT.event, 'a,b'), '', false],
    [BODY.replace(EVENT.event, 'é'), '', false],
    [BODY.replace(EVENT.event, ' a'), '', false],
    [BODY.replace(EVENT.event, 'a b'), '', true],
    ['', 'invalid_json', false],
  ])('signs %s too, and prints the verdict of verify', (body, code, isNamed) => {
    const { status, lines, stderr } = run(['sign', '--secret-env', 'SECRET', '--body', '-'], body)
    expect(status).toBe(0)
    expect(lines[0]).toBe(`x-service-signature: ${signature(body)}`)
    expect(lines).toHaveLength(isNamed ? 4 : 3)
    if (code === '') expect(stderr).toBe('')
    else expect(stderr).toContain(`A receiver refuses this body with ${code}: `)
  })
})

describe('an unreadable input', () => {
  const FILE = ['--body', 'body.json']
  const NAMED = ['--secret-env', 'SECRET']
  const wrong: [args: string[], message: string][] = [
    [[], "required option '--secret-env <name>'"],
    [NAMED, "required option '--body <file>'"],
    [[...FILE, '--secret-env', 'UNSET'], 'The variable that --secret-env names is not set.'],
    [[...FILE, '--secret-env', '__proto__'], 'The variable that --secret-env names is not set.'],
    [[...FILE, '--secret-env', SECRET], 'The variable that --secret-env names is not set.'],
    [[...FILE, `--secret=${SECRET}`], 'can read a secret on the command line'],
    [[...FILE, '--secret', SECRET], 'can read a secret on the command line'],
    [[...NAMED, '--body', 'nowhere.json'], '--body: the file does not exist.'],
    [[...NAMED, '--body', '.'], '--body: this is a folder'],
  ]
  const both = ['verify', 'sign'].flatMap((command) =>
    wrong.map(([args, message]) => [[command, ...args], message] as const),
  )
  it.each([
    ...both,
    [['verify', ...NAMED, ...FILE, '--header', signature()], 'has no name or no colon'],
    [['verify', ...NAMED, ...FILE, '--header', ': a'], 'has no name or no colon'],
    [
      ['verify', ...NAMED, ...FILE, '--header', '@nowhere.txt'],
      '--header: the file does not exist.',
    ],
    [['verify', ...NAMED, ...FILE, '--tolerance', '-1'], 'a number of seconds'],
    [['sign', '--secret-env', 'BLANK', ...FILE], 'BLANK is blank.'],
    [['sign', ...NAMED, ...FILE, '--signature-encoding', 'HEX'], 'Allowed choices are hex'],
  ] as const)('%j: ends with 2 and says what', (args, message) => {
    const { status, stdout, stderr } = run([...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain(signature())
  })

  it('has a help text with an example', () => {
    for (const command of ['verify', 'sign']) {
      const { status, stdout } = run([command, '--help'])
      expect(status).toBe(0)
      expect(stdout).toContain(`  $ support-chat-mock ${command} --secret-env SUPPORT_CHAT_WEBHOOK`)
      expect(stdout).not.toContain('--secret [')
    }
  })
})
