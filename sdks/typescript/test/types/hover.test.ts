import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'hover-probe.ts')
const messages = join(root, 'src/generated/resources/conversations/messages.ts')
const source = `
import { SupportChat, RateLimitError } from './src/index.js'
const client = new SupportChat()
const conversation = await client.conversations.get('a')
const transcript = conversation.transcript
const handoff = conversation.handoff
const status = conversation.status
const list = client.conversations.list()
const page = await client.conversations.list()
const message = await client.conversations.messages.create('a', { text: 'x' })
const found = await client.raw.GET('/v1/conversations/{id}', { params: { path: { id: 'a' } } })
const known = client.request('GET', '/v1/conversations/{id}')
const error = new RateLimitError('m', { status: 429, outcome: 'rejected' })
const problem = error.problem
`

/** The types that an editor shows for the names above: names of the contract, not expanded. */
const HOVERS = {
  client: 'const client: SupportChat',
  conversation: 'const conversation: Conversation',
  transcript: 'const transcript: Message[]',
  handoff: 'const handoff: Handoff | null',
  status: 'const status: ConversationStatus',
  list: 'const list: PagePromise<ConversationSummary>',
  page: 'const page: Page<ConversationSummary>',
  message: 'const message: Message',
  known: 'const known: APIPromise<Conversation>',
  error: 'const error: RateLimitError',
}

describe('hovers in an editor', () => {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? source : ts.sys.readFile(name)),
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) =>
      name === file || ts.sys.fileExists(name)
        ? ts.ScriptSnapshot.fromString(name === file ? source : readFileSync(name, 'utf8'))
        : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  })

  function hover(position: number): { text: string; doc: string } {
    const info = service.getQuickInfoAtPosition(file, position)
    return {
      text: ts.displayPartsToString(info?.displayParts),
      doc: ts.displayPartsToString(info?.documentation),
    }
  }

  it('compiles the probe', { timeout: 60_000 }, () => {
    const messages = service
      .getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    expect(messages).toEqual([])
  })

  it.each(Object.entries(HOVERS))('shows for %s the name of the contract', (name, text) => {
    expect(hover(source.indexOf(`const ${name} `) + 'const '.length).text).toBe(text)
  })

  it('shows for a result of the raw client the names of the contract', () => {
    const [problem] = /(?<=: )\w+/.exec(hover(source.indexOf('const problem ') + 6).text) ?? []
    expect(hover(source.indexOf('const found ') + 6).text).toBe(
      `const found: RawResult<Conversation, ${problem}>`,
    )
  })

  it('shows what a method does, which request it sends and what of it is assumed, if anything', () => {
    const { text, doc } = hover(source.indexOf('messages.create') + 'messages.'.length)
    expect(text).toContain(
      'create(id: string, body: MessageCreateParams, options?: RequestOptions)',
    )
    expect(text).toContain('APIPromise<Message>')
    expect(doc).toContain('Posts a message from an agent of your team')
    expect(doc).toContain('POST /v1/conversations/{id}/messages')
    const isAssumed = readFileSync(messages, 'utf8').includes(' * Assumption: ')
    expect(doc.includes('Assumption: ')).toBe(isAssumed)
  })
})
