/** The published documents that repeat the contract are what the build makes of it. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readTemplates, textsOf } from '../build/published.ts'
import { formsOf } from '../src/contract/form.ts'
import { loadContract } from '../src/contract/load.ts'
import { Bindings } from '../src/sandbox/bindings.ts'
import { factsOf } from '../src/sandbox/published.ts'
import { CONTRACT } from './oracle-of.ts'

const bindings = new Bindings(formsOf(await loadContract(CONTRACT, '')))

it.each([...textsOf(factsOf(bindings))])('%s is up to date', (name, text) => {
  expect(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')).toBe(text)
})

it('no template repeats a kind of event, a state or a limit of the contract', () => {
  const texts = JSON.stringify(readTemplates())
  for (const kind of bindings.forms.description.kinds) {
    expect(texts.replaceAll(/"example":\{[^}]*\}/g, '')).not.toContain(kind)
  }
  expect(texts).not.toContain('handed_off')
})
