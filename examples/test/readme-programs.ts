/**
 * A README's blocks as one program. The first block makes the client; each of the others has a
 * scope of its own, as a reader takes it alone.
 */

/** By their paths. */
export type Files = Record<string, string>

/** What the TypeScript README leaves to its readers: a secret, and a delivery that came in. */
const SECRET = "const secret = 'whsec_test'\n"
const DELIVERY = `
const rawBody = JSON.stringify({
  event: 'conversation.created',
  id: 'evt_1',
  occurred_at: '2026-03-02T09:21:48Z',
  data: { conversation_id: 'conv_of_the_event' },
})
const request = { headers: { 'x-service-signature': await Webhooks.sign(rawBody, secret) } }
`

export function typescript([first = '', ...others]: readonly string[]): Files {
  const isImport = /^import .*\n/gm
  const importsOf = (code: string) => code.match(isImport) ?? []
  const bodyOf = (code: string) => code.replace(isImport, '')
  // What receives events needs no client, and its imports would clash: each is a module of its own.
  const receivers = others.filter((code) => code.includes('/webhooks'))
  const calls = others.filter((code) => !receivers.includes(code))
  const modules = receivers.map((code, index) => {
    const given = SECRET + (code.includes('rawBody') ? DELIVERY : '')
    // On a port of its own, and only as long as the rest of the program runs.
    const body = bodyOf(code).replace('.listen(8080)', '.listen(0).unref()')
    return [`receiver-${index}.ts`, [...importsOf(code), given, body].join('')] as const
  })
  const main = [
    ...new Set([first, ...calls].flatMap(importsOf)),
    bodyOf(first),
    ...calls.map((code) => `{\n${bodyOf(code)}}\n`),
    ...modules.map(([name]) => `await import(new URL('${name}', import.meta.url).href)\n`),
  ]
  return { 'main.ts': main.join(''), ...Object.fromEntries(modules) }
}

export function python([first = '', ...others]: readonly string[]): Files {
  const scopes = others.map((code, index) => {
    const name = `block_${index}`
    return `\n\ndef ${name}() -> None:\n${code.replace(/^(?=.)/gm, '    ')}\n\n${name}()\n`
  })
  return { 'main.py': [first, ...scopes].join('') }
}

export function ruby([first = '', ...others]: readonly string[]): Files {
  const scopes = others.map((code) => `lambda do\n${code}end.call\n`)
  return { 'main.rb': [first, ...scopes].join('') }
}

const IMPORTS: Readonly<Record<string, string>> = {
  errors: 'errors',
  fmt: 'fmt',
  http: 'net/http',
  httptest: 'net/http/httptest',
  url: 'net/url',
}

/** The first block is a program; it is given a last line that runs the others. */
export function go([first = '', ...others]: readonly string[]): Files {
  if (others.length === 0) return { 'main.go': first }
  const sdk = /^\tsupportchat .*$/m.exec(first)?.[0] ?? ''
  const isTest = others.join('').includes('supportchattest.')
  const kit = isTest ? [sdk.replace(/^.*"(.*)"$/, '\t"$1/supportchattest"')] : []
  const uses = Object.keys(IMPORTS).filter((name) => others.join('').includes(`${name}.`))
  const imports = ['context', 'log', ...uses.map((name) => IMPORTS[name])].map(
    (one) => `\t"${one}"`,
  )
  const functions = others.map((code, index) => {
    return `func block${index}(ctx context.Context, client *supportchat.Client) error {\n${code}return nil\n}\n`
  })
  const calls = others.map(
    (_, index) =>
      `if err := block${index}(context.Background(), client); err != nil {\nlog.Fatal(err)\n}\n`,
  )
  return {
    'main.go': first.replace(/\}\n$/, '\tblocks(client)\n}\n'),
    'blocks.go': [
      'package main\n',
      `import (\n${[...imports, sdk, ...kit].join('\n')}\n)\n`,
      'const secret = "whsec_test"\n',
      `func blocks(client *supportchat.Client) {\n${calls.join('')}}\n`,
      ...functions,
    ].join('\n'),
  }
}
