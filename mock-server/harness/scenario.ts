/** Reads the scenarios of Prism's own tests: a document, the options of a server, a call, the response. */

/** What a scenario is about. Each sort is counted by itself. */
export type Sort = 'OpenAPI 3' | 'Swagger 2' | 'Postman' | 'proxy'

export interface Scenario {
  /** The path of its file. */
  name: string
  sort: Sort
  document: string
  /** The options of the server, beside its port and the document. */
  options: string[]
  /** The arguments of curl. */
  call: string[]
  expected: Answer
  /** Whether the body must be the same, have the same shape, or have the same members. */
  compared: 'body' | 'shape' | 'members'
}

export interface Answer {
  status: number
  /** By their names in lower case. */
  headers: Record<string, string>
  body: string
}

const PART = /^====(test|spec|server|command|expect|expect-loose|expect-keysOnly)====\r?$/m

/** @throws where it is no scenario that can be run */
export function readScenario(name: string, text: string): Scenario {
  const pieces = text.split(PART)
  const parts = new Map<string, string>()
  for (let i = 1; i < pieces.length; i += 2) parts.set(pieces[i] ?? '', pieces[i + 1] ?? '')
  const part = (key: string) => parts.get(key)?.trim() ?? ''

  const [program, ...call] = words(part('command'))
  if (program !== 'curl') throw new Error(`${name} calls ${program}, not curl`)
  const [command = '', ...options] = words(part('server'))
  const port = options.indexOf('-p')
  if (port >= 0) options.splice(port, 2)
  const document = `${part('spec')}\n`
  return {
    name,
    sort: sortOf(command, document),
    document,
    // `${document}`, the path of the document
    options: options.filter((option) => !option.startsWith('$')),
    call,
    expected: readAnswer(part('expect') || part('expect-loose') || part('expect-keysOnly')),
    compared: parts.has('expect') ? 'body' : parts.has('expect-loose') ? 'shape' : 'members',
  }
}

function sortOf(command: string, document: string): Sort {
  if (command === 'proxy') return 'proxy'
  const [, version] = /^\s*['"]?(openapi|swagger)['"]?\s*:/m.exec(document) ?? []
  if (version === undefined) return 'Postman'
  return version === 'swagger' ? 'Swagger 2' : 'OpenAPI 3'
}

/** Reads a response as curl prints it. Of several, the last one counts. */
export function readAnswer(text: string): Answer {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/)
  if (rest[0]?.startsWith('HTTP/')) return readAnswer(rest.join('\n\n'))
  const [line = '', ...fields] = head.split(/\r?\n/)
  const [, status] = /^HTTP\/[\d.]+ (\d{3})/.exec(line) ?? []
  if (!status) throw new Error(`not a response: ${text.slice(0, 80)}`)
  const headers = fields.map((field) => {
    const [name = '', ...value] = field.split(':')
    return [name.trim().toLowerCase(), value.join(':').trim()]
  })
  return {
    status: Number(status),
    headers: Object.fromEntries(headers),
    body: rest.join('\n\n').trim(),
  }
}

const WORD = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)|(\s+)/gs

/** Splits a command line as a shell does, without its substitutions. */
export function words(line: string): string[] {
  const found: string[] = []
  let word: string | undefined
  for (const [, single, double, escaped, bare, space] of line.matchAll(WORD)) {
    if (space === undefined) {
      const text = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? ''
      word = (word ?? '') + text
    } else if (word !== undefined) {
      found.push(word)
      word = undefined
    }
  }
  return word === undefined ? found : [...found, word]
}
