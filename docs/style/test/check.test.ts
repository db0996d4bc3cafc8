import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { check } from '../check.ts'
import { glossaryRule } from '../glossary.ts'

function checked(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'style-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'page.md'), text)
  return check(['page.md'], folder)
}

const LONG = `${Array(36).fill('word').join(' ')}.`

it.each([
  ['a word that the glossary replaces', 'A time-out ends the attempt.', 'Glossary', 'timeout'],
  ['a turn of phrase', 'The server goes on.', 'Phrases', 'continues'],
  ['a long sentence', LONG, 'SentenceLength', 'Split it'],
  ['a clause as the subject', 'What is sent is recorded.', 'Subjects', 'the actor'],
  ['a spelling mistake', 'The receivr returns a response.', 'Spelling', 'receivr'],
])('finds %s, with its line and what to write', (_, text, rule, hint) => {
  const { code, output } = checked(`# Page\n\n${text}\n`)
  expect(code).toBe(1)
  expect(output).toMatch(new RegExp(`^page\\.md:3:\\d+:\\w+\\.${rule}:.*${hint}`))
})

it('accepts plain sentences, and code with any words', () => {
  expect(checked('# Page\n\nThe server returns a response. `time-out`\n')).toEqual({
    code: 0,
    output: '',
  })
})

it('refuses a glossary without words to replace', () => {
  expect(() => glossaryRule('# Glossary\n')).toThrow('Instead of')
})
