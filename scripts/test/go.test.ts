import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nameClashes } from '../emit/go/index.ts'
import { go } from '../emit/go/language.ts'
import { PIECES, packageFiles, piecesOf } from '../emit/go/package.ts'
import { ROOT, readRuntime } from '../repository.ts'
import { complaintsOfGo, gather, STATICCHECK, unformatted } from './compile/go.ts'
import { emitted } from './compile/go-documents.ts'
import { CASES, modelOf, NAMES, temporaryFolder } from './support.ts'

const SDK = join(ROOT, 'sdks/go')
const RUNS = fileURLToPath(new URL('runs/go', import.meta.url))

const own = await modelOf(join(ROOT, 'openapi.yaml'))

describe('our contract', () => {
  const files = emitted(own)
  const standing = globSync('**/*.gen.go', { cwd: SDK })

  it('becomes every generated file of the package', () => {
    expect([...files.keys()].sort()).toEqual(standing.sort())
  })

  it.each([...files])('becomes %s as it stands', (path, content) => {
    expect(content).toBe(readFileSync(join(SDK, path), 'utf8'))
  })

  it('has no name that Go cannot give', () => {
    expect(nameClashes(own)).toEqual([])
  })
})

it('our package is built from what our contract needs, and from nothing for other contracts', () => {
  // The first line of the other files is the build tag.
  const built = Object.keys(PIECES).filter(
    (path) => !readFileSync(join(SDK, path), 'utf8').startsWith('//go:build everycontract\n'),
  )
  expect(built).toEqual(piecesOf(own))
})

it('sends and reads each case as the document describes it', { timeout: 300_000 }, async () => {
  const out = temporaryFolder()
  const packages = readdirSync(CASES)
    .filter((name) => name !== 'negative')
    .map((name) => ({ document: join(CASES, name, 'openapi.yaml'), folder: join(out, name, 'go') }))
  for (const { document, folder } of packages) {
    const api = await modelOf(document, NAMES)
    const runtime = packageFiles(api, readRuntime(go)).map(({ path, content }) => [path, content])
    for (const [path = '', content = ''] of [...emitted(api), ...runtime]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
  }
  const module = gather(packages.map(({ folder }) => folder))
  onTestFinished(() => rmSync(module, { recursive: true }))
  cpSync(RUNS, join(module, 'runs'), { recursive: true })

  const complaints = await Promise.all([
    unformatted(RUNS),
    complaintsOfGo(['test', './runs'], module),
    complaintsOfGo([...STATICCHECK, './runs'], module),
  ])
  expect(complaints.flat()).toEqual([])
})

it('gives the runtime the name and the module of another platform', () => {
  const platform = { ...own.platform, goPackage: 'other', goModule: 'example.com/other' }
  const files = packageFiles({ ...own, platform }, readRuntime(go))
  const text = new Map(files.map(({ path, content }) => [path, content]))

  expect([...text.keys()]).toEqual(expect.arrayContaining(['call.go', 'LICENSE']))
  expect(text.get('go.mod')).toBe('module example.com/other\n\ngo 1.24\n')
  const sources = files.filter(({ path }) => path.endsWith('.go'))
  const header = /^\/\/ Code generated .* DO NOT EDIT\.$[\s\S]*^package other(?:test)?$/m
  expect(sources.filter(({ content }) => !header.test(content))).toEqual([])
  const [, ...kitLines] = text.get('othertest/othertest.go')?.split('\n') ?? []
  const kit = kitLines.join('\n')
  expect(kit).toContain('// Package othertest ')
  expect(kit).toContain('\tother "example.com/other"\n')
  expect(kit).not.toContain('supportchat')
})
