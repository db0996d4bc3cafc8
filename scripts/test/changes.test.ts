import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Reserved } from '../changes/reserved.ts'
import { readYaml } from '../yaml/index.ts'
import { catalogue, changesOf, type Sketch } from './changes/skeleton.ts'

interface Case {
  before: Sketch
  after: Sketch
  is?: string[]
  go?: string
  reserved?: Reserved[]
}

const FILE = new URL('changes/cases.yaml', import.meta.url).pathname
const { value } = await readYaml<Record<string, Case>>(FILE, { type: 'object' })
const cases = Object.entries(value ?? {})

describe('every kind of change', () => {
  it('has a case', () => {
    expect(readFileSync(FILE, 'utf8')).not.toBe('')
    expect(cases.map(([kind]) => kind).sort()).toEqual([...catalogue.keys()].sort())
  })

  it.each(cases)('%s is found, and nothing else', async (kind, one) => {
    const { before, after, is = [kind], go, reserved } = one
    const changes = await changesOf(before, after, reserved)
    expect(changes.map((change) => change.kind).sort()).toEqual([...is].sort())
    if (go) expect(changes.find((change) => change.kind === kind)?.subject.go).toBe(go)
  })
})
