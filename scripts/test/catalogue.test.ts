import { describe, expect, it } from 'vitest'
import { fill, loadCatalogue } from '../changes/catalogue.ts'
import { formatProblem } from '../yaml/index.ts'
import { write } from './support.ts'

async function problemsOf(text: string): Promise<string[]> {
  const file = write(text, 'catalogue.yaml')
  const { problems } = await loadCatalogue(file)
  return problems.map((problem) => formatProblem(problem).replace(file, 'catalogue.yaml'))
}

describe('the catalogue of changes', () => {
  it('has at least 80 kinds and no fault', async () => {
    const { catalogue, problems } = await loadCatalogue()
    expect(problems.map(formatProblem)).toEqual([])
    expect(catalogue.size).toBeGreaterThanOrEqual(80)
  })

  it('says for calls nothing about receivers, and for events nothing about callers', async () => {
    const { catalogue } = await loadCatalogue()
    for (const { id, effects } of catalogue.values()) {
      const isAboutEvents = /^(event|signature)-/.test(id)
      for (const { upgrade, stay, receive } of Object.values(effects)) {
        expect([id, upgrade !== null]).toEqual([id, true])
        expect([id, stay === null, receive !== null]).toEqual([id, isAboutEvents, isAboutEvents])
      }
    }
  })

  it('is refused where it contradicts itself', async () => {
    expect(
      await problemsOf(`
a-b: { text: Gone., class: additive, effects: { all: { upgrade: compile } } }
c: { text: Gone., class: additive, effects: { all: { upgrade: none }, go: { upgrade: none } } }
d: { text: Gone., class: additive, effects: { all: {} } }
`),
    ).toEqual([
      'catalogue.yaml:2:21: a-b is additive, but an effect breaks users. Correct the class or the effects.',
      'catalogue.yaml:3:77: c says none for go, which "all" already says. Remove it.',
      'catalogue.yaml:4:36: d concerns nobody. Give the effect on an audience.',
    ])
  })

  it('is refused where it has another form', async () => {
    const [first] = await problemsOf(
      'A: { text: "{name} is gone.", class: big, effects: { go: { later: boom } } }',
    )
    expect(first).toMatch(/^catalogue\.yaml:1:1: /)
    expect(
      await problemsOf('a: { text: "{name}", class: additive, effects: { all: {} } }'),
    ).toEqual([
      'catalogue.yaml:1:6: a.text must be a sentence with no placeholders but {subject}, {before} and {after} (now "{name}"). Correct the file.',
    ])
  })

  it('fills the placeholders of a text', () => {
    const text = '{before} is now {after}.'
    expect(fill({ text }, { before: 'a', after: '{before}' })).toBe('a is now {before}.')
  })
})
