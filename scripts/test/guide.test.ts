// The upgrade guide, generated for pairs of contracts. Its code is compiled and run in all languages.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, describe, expect, it } from 'vitest'
import { check } from '../../docs/style/check.ts'
import { loadCatalogue } from '../changes/catalogue.ts'
import { compare } from '../changes/compare/index.ts'
import { loadRevision } from '../changes/revision.ts'
import type { Change } from '../changes/types.ts'
import { docsSnippets } from '../emit/docs/code.ts'
import { LANGUAGES, NAME_RULES } from '../languages.ts'
import { loadPlatform } from '../lower/platform.ts'
import { loadPolicy } from '../lower/policy.ts'
import { loadMaker } from '../packages/make.ts'
import { ROOT } from '../repository.ts'
import { loadAdvice } from '../upgrades/guide/advice.ts'
import { withUnreleased } from '../upgrades/guide/document.ts'
import { anchorOf, guideFor } from '../upgrades/guide/index.ts'
import { type Block, blocksIn } from './guide/blocks.ts'
import { evolved } from './guide/evolve.ts'
import { faultsOf } from './guide/run.ts'
import { modelOf } from './support.ts'
import { type Bundle, bundle } from './witnesses/bundle.ts'
import { type Document, NAMES, readWitnesses, VERSIONS } from './witnesses/witness.ts'

const { catalogue } = await loadCatalogue()
const { platform } = await loadPlatform(NAMES, NAME_RULES)
const { policy } = await loadPolicy(join(ROOT, 'sdks/behavior.yaml'))
const folder = mkdtempSync(join(tmpdir(), 'guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Guide {
  changes: readonly Change[]
  text: string
}

async function guideOf({ documents }: Pick<Bundle, 'documents'>, name: string): Promise<Guide> {
  if (!platform || !policy) throw new Error('The names or the policy cannot be read.')
  const root = join(folder, name)
  mkdirSync(root, { recursive: true })
  const revisions = VERSIONS.map((version) => {
    const file = join(root, `${version}.json`)
    writeFileSync(file, JSON.stringify(documents[version]))
    return loadRevision(file, { root, platform, policy })
  })
  const [before, after] = await Promise.all(revisions)
  if (!before || !after) throw new Error('There are two versions.')
  const changes = compare(before, after, catalogue)
  return { changes, text: guideFor(changes, before, after) }
}

/** The code of the reference, which shows each operation and each event of our contract. */
async function blocksOfReference(): Promise<Block[]> {
  const api = await modelOf(join(ROOT, 'openapi.yaml'), NAMES)
  const snippets = docsSnippets(api)
  expect(snippets).toHaveLength(api.operations.length + api.webhooks.length)
  const written = await Promise.all(
    LANGUAGES.map(async (language) => {
      const code = await (await loadMaker(language)).writeSnippets(snippets, api)
      return code.map((code, at): Block => {
        return { entry: `reference-${at}`, language: language.name, versions: ['before'], code }
      })
    }),
  )
  return written.flat()
}

/** Our contract of today, and of a day on which names change. */
function ours(): Bundle {
  const text = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8')
  const before = parseYaml(text) as Document
  return { witnesses: [], documents: { before, after: evolved(before) } }
}

const OURS = 'our contract'
const wanted = process.env.WITNESS?.split(',')
const witnesses = readWitnesses().filter(({ kind }) => wanted?.includes(kind) ?? true)
const pairs = new Map<string, Bundle>([
  ...bundle(witnesses).map((one, index) => [`bundle-${index}`, one] as const),
  [OURS, ours()],
])
const guides = new Map(
  await Promise.all(
    [...pairs].map(async ([name, one]) => [name, await guideOf(one, name)] as const),
  ),
)

describe.each([...guides])('the guide of %s', (name, { changes, text }) => {
  const breaks = changes.filter((change) => change.class === 'breaking')

  it('has an entry for each break, the worst first', () => {
    const anchors = [...text.matchAll(/^<a id="(.+)"><\/a>$/gm)].map(([, anchor]) => anchor)
    expect(anchors).toEqual(breaks.map(anchorOf))
  })

  it('lists what breaks no program', () => {
    const added = changes.filter((change) => change.class === 'additive')
    const [, list = ''] = text.split('### Other changes\n\n')
    expect(list.split('\n').filter((line) => line !== '')).toEqual(
      added.map((change) => `- ${change.text}`),
    )
  })

  it('shows code that compiles and runs', async () => {
    const blocks = [...blocksIn(text), ...(name === OURS ? await blocksOfReference() : [])]
    const bundle = pairs.get(name)
    const faults =
      bundle && blocks.length > 0 ? await faultsOf(blocks, bundle, join(folder, name)) : []
    expect(faults).toEqual([])
  }, 600_000)
})

describe('the guides', () => {
  const all = [...guides.values()]

  it.skipIf(wanted)('show code for most breaks', () => {
    const entries = all.flatMap(({ text }) => text.split(/^(?=<a id=)/m).slice(1))
    const withCode = entries.filter((entry) => entry.includes('```'))
    expect(withCode.length / entries.length).toBeGreaterThan(0.8)
  })

  it('pass the check of prose', () => {
    const files = all.map(({ text }, index) => {
      const file = join(folder, `${index}.md`)
      writeFileSync(file, text)
      return file
    })
    expect(check(files, folder)).toEqual({ code: 0, output: '' })
  })
})

it('there is advice about each kind of break, and about no other', async () => {
  const advice = await loadAdvice()
  const breaks = [...catalogue.values()].filter((kind) => kind.class === 'breaking')
  expect([...advice.keys()].sort()).toEqual(breaks.map(({ id }) => id).sort())
})

describe('the file', () => {
  const text = '# Upgrade\n\nHow to.\n\n## 1.1.0\n\nOld.\n\n## 1.0.0\n\nOlder.\n'
  const written = withUnreleased(text, 'New.\n')

  it('gets a section about what is not released, before all others', () => {
    expect(written).toBe(text.replace('## 1.1.0', '## Unreleased\n\nNew.\n\n## 1.1.0'))
  })

  it('is the same when it is written again', () => {
    expect(withUnreleased(written, 'New.\n')).toBe(written)
  })

  it('gets another section in its place, or none', () => {
    expect(withUnreleased(written, 'Newer.')).toBe(written.replace('New.', 'Newer.'))
    expect(withUnreleased(written, '')).toBe(text)
  })
})
