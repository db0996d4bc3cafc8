/** Which lines `check-integration` names, in programs of four languages. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Commands } from './command.ts'
import { editedContract } from './edited-contract.ts'
import { CONTRACT } from './oracle-of.ts'

let commands: Commands
beforeEach(() => {
  commands = new Commands()
})
afterEach(() => commands.close())

const run = (...args: string[]) => commands.run(['check-integration', ...args])

/** Removes a query parameter and a kind of event, and renames a field. */
const changed = () =>
  editedContract(commands.folder, ({ paths, webhooks, components: { schemas } }) => {
    const list = paths['/v1/conversations'].get
    list.parameters = list.parameters.filter(({ name }: { name: string }) => name !== 'status')
    const { deflection_rate: rate, ...others } = schemas.Analytics.properties
    const renamed = { ...rate, 'x-renamed-from': 'deflection_rate' }
    schemas.Analytics.properties = { ...others, deflected: renamed }
    schemas.Analytics.required = ['conversation_volume', 'deflected', 'top_intents']
    delete webhooks['conversation.csat']
  })

/** Writes files. A line with `!` and kinds in a comment at its end is hit by changes of these kinds. */
function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(commands.folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** The lines that a text marks as hit, as `file:line kind`. */
function planted(files: Record<string, string>): string[] {
  return Object.entries(files).flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => {
      const [, kinds] = /(?:\/\/|#)! (.*)$/.exec(line) ?? []
      return (kinds?.split(' ') ?? []).map((kind) => `${name}:${index + 1} ${kind}`)
    }),
  )
}

interface Line {
  file: string
  line: number
  column: number
  code: string
  language: string
  effects: Record<string, string | null>
  codemod: boolean
}

const PROGRAMS = {
  'web/app.ts': `import { SupportChat } from '@support-chat/sdk'

const client = new SupportChat()
for await (const conversation of client.conversations.list({
  status: 'open', //! query-parameter-removed
})) {
  console.log(conversation.status)
}
const numbers = await client.analytics.get()
console.log(numbers.deflection_rate) //! response-field-renamed-kept
console.log(numbers.conversation_volume)
`,
  'web/hooks.ts': `import { Webhooks } from '@support-chat/sdk/webhooks'

const webhooks = new Webhooks('whsec_x')

export async function receive(body: Uint8Array, headers: Headers) {
  const event = await webhooks.unwrap(body, headers)
  if (event.event === 'conversation.csat') { //! event-removed
    console.log(event.data.rating)
  }
}
`,
  'jobs/report.py': `from support_chat import SupportChat

with SupportChat() as client:
    for conversation in client.conversations.list(status="open"):  #! query-parameter-removed
        print(conversation.status)
    numbers = client.analytics.get()
    print(numbers.deflection_rate)  #! response-field-renamed-kept
`,
  'jobs/events.py': `from support_chat import ConversationCsatEvent  #! event-removed
from support_chat.webhooks import Webhooks

event = Webhooks("whsec_x").unwrap(b"", {})
if isinstance(event, ConversationCsatEvent):  #! event-removed
    print(event.data.rating)
`,
  'jobs/events.rb': `require "support_chat"

event = SupportChat::Webhooks.new("whsec_x").unwrap("", {})
puts event.data.rating if event.is_a?(SupportChat::ConversationCsatEvent) #! event-removed
`,
  'cmd/events/main.go': `package main

import (
	"fmt"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func handle(event supportchat.Event) {
	if csat, ok := event.(*supportchat.ConversationCsatEvent); ok { //! event-removed
		fmt.Println(csat.Data.Rating)
	}
}
`,
  'jobs/report.rb': `require "support_chat"

client = SupportChat::Client.new
client.conversations.list(status: "open").auto_paging_each { |one| puts one.status } #! query-parameter-removed
numbers = client.analytics.get
puts numbers.deflection_rate #! response-field-renamed-kept
`,
  'cmd/main.go': `package main

import (
	"context"
	"fmt"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

func main() {
	ctx := context.Background()
	client, _ := supportchat.NewClient()
	params := &supportchat.ConversationListParams{
		Status: supportchat.ConversationStatusOpen, //! query-parameter-removed
	}
	page, _ := client.Conversations.List(ctx, params)
	fmt.Println(page.Data)
	numbers, _ := client.Analytics.Get(ctx)
	fmt.Println(numbers.DeflectionRate) //! response-field-renamed-kept
}
`,
}

async function check(...args: string[]) {
  const { code, stdout, stderr } = await run('--contract', changed(), ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  const report = JSON.parse(stdout)
  const lines: Array<Line & { kind: string; effect: string }> = report.hits.flatMap(
    ({ kind, effect, lines }: { kind: string; effect: string; lines: Line[] }) =>
      lines.map((line) => ({ ...line, kind, effect })),
  )
  return { report, lines, told: lines.map(({ file, line, kind }) => `${file}:${line} ${kind}`) }
}

it('names exactly the lines that a change hits, in four languages, silent ones first', async () => {
  write(PROGRAMS)
  const { report, lines, told } = await check()
  expect([...told].sort()).toEqual(planted(PROGRAMS).sort())
  expect(report.source.files).toEqual({ typescript: 2, python: 2, ruby: 2, go: 2 })
  const effects = report.hits.map(({ effect }: { effect: string }) => effect)
  expect(effects).toEqual(['silent', 'silent', 'compile']) // Python and Ruby keep the old name
  const field = lines.find(
    ({ file, kind }) => file === 'web/app.ts' && kind.endsWith('renamed-kept'),
  )
  expect(field).toMatchObject({
    line: 10,
    column: 21,
    code: 'console.log(numbers.deflection_rate) //! response-field-renamed-kept',
    language: 'typescript',
    effects: { upgrade: 'compile', stay: 'warning', receive: null },
    codemod: true,
  })

  const { stdout } = await run('--contract', changed(), 'web')
  expect(stdout).toContain('Read 2 files in web (typescript 2).')
  expect(stdout).toMatch(
    / {4}web\/app\.ts:5:3 {2}status: 'open', .*\n {6}typescript · upgrade: compile, stay: silent\n/,
  )
  expect(stdout).toMatch(/3 changes \(2 silently wrong\) hit 3 lines\.\n$/)
})

it('leaves out what git ignores, code of others and long files, and reads one file', async () => {
  const line = PROGRAMS['jobs/report.py']
  write({
    '.gitignore': 'built/\n',
    'built/a.py': line,
    'packages/a/.gitignore': 'generated.py\n',
    'packages/a/generated.py': line,
    'node_modules/x/a.py': line,
    'packages/a/vendor/a.py': line,
    '.venv/lib/a.py': line,
    'packages/a/mine.py': line,
    'packages/a/large.py': `${line}#${'x'.repeat(1024 * 1024)}`,
    'packages/a/broken.py': `${line}\ndef (`,
    'packages/a/notes.md': line,
  })
  execFileSync('git', ['init', '-q'], { cwd: commands.folder })
  const { report, told } = await check('packages')
  expect(report.source).toEqual({
    path: 'packages',
    files: { python: 2 },
    skipped: ['packages/a/large.py is larger than 1 MiB'],
  })
  expect(told.filter((one) => one.includes('mine.py'))).toHaveLength(2)
  // The ignore file of the repository counts below it too.
  write({ 'packages/built/a.py': line })
  expect((await check('packages')).report.source.files).toEqual({ python: 2 })
  const one = await check('packages/a/mine.py')
  expect(one.report.source).toEqual({
    path: 'packages/a/mine.py',
    files: { python: 1 },
    skipped: [],
  })
})

it('finds nothing where nothing is used or nothing changes', async () => {
  write({ 'app.ts': "console.log({ status: 'open' }.status)\n", 'empty.py': '', 'bytes.rb': '\0' })
  const unused = await run('--contract', changed())
  expect(unused).toMatchObject({ code: 0, stderr: '' })
  expect(unused.stdout).toContain('No change hits this integration.')
  write(PROGRAMS)
  expect(await run('--contract', CONTRACT)).toMatchObject({ code: 0, stderr: '' })
})

it('says what is wrong with a path', async () => {
  write({ 'notes.md': 'Hello' })
  const wrong = [
    ['none', 'none does not exist. Name the folder of your program.'],
    ['notes.md', 'notes.md is no program: its name ends in none of .ts, '],
  ]
  for (const [path = '', message] of wrong) {
    const { code, stdout, stderr } = await run(path, '--contract', CONTRACT)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  }
})
