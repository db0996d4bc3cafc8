/** A request as a command line of curl. */

export interface Sendable {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
  body_encoding?: 'base64' | undefined
}

/** What curl sends by itself, or what belongs to one request. */
const LEFT_OUT = new Set(
  `host connection content-length transfer-encoding accept-encoding accept-language user-agent expect
  sec-fetch-mode x-request-id traceparent tracestate`.split(/\s+/),
)
const WIDTH = 100

/** @param key What stands for a key that is not shown. */
export function curlOf({ method, url, headers, body, body_encoding }: Sendable, key = ''): string {
  const sent = Object.entries(headers).filter(([name, value]) => !isUsual(name, value))
  const isPlain = method === (body === null ? 'GET' : 'POST')
  const options = [
    ...(method === 'HEAD' ? ['--head'] : isPlain ? [] : [`-X ${quoted(method)}`]),
    ...sent.map(([name, value]) => {
      const isHidden = value === '[redacted]'
      if (isHidden && name === 'authorization') return `-H "${name}: Bearer ${key}"`
      return `-H ${quoted(`${name}: ${value}`)}`
    }),
    ...(body === null ? [] : [body_encoding ? '--data-binary @-' : `--data-raw ${quoted(body)}`]),
  ]
  const words = [...options, quoted(url)]
  const line = `curl ${words.join(' ')}`
  const command = line.length <= WIDTH ? line : `curl ${words.join(' \\\n  ')}`
  return body_encoding ? `printf %s ${quoted(body ?? '')} | base64 -d | ${command}` : command
}

/** Whether a header says nothing that another client would not send by itself. */
export function isUsual(name: string, value: string): boolean {
  return LEFT_OUT.has(name) || (name === 'accept' && value === '*/*')
}

/** A word of a shell. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
