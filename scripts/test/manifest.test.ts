import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OutFile } from '../emit/core/file.ts'
import { carryOut, isUpToDate, MANIFEST, plan } from '../emit/core/manifest.ts'
import { ROOT } from '../repository.ts'
import { filesOf, temporaryFolder } from './support.ts'

const file = (path: string, content = path): OutFile => ({ path, content })

function emitTo(folder: string, ...files: OutFile[]): void {
  carryOut(plan(folder, files))
}

describe('writing', () => {
  it('writes all files and lists them', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('a.ts'), file('b/c.ts'))

    expect([...filesOf(folder).keys()]).toEqual([MANIFEST, 'a.ts', 'b/c.ts'].sort())
    expect(isUpToDate(plan(folder, [file('a.ts'), file('b/c.ts')]))).toBe(true)
  })

  it('leaves nothing temporary behind', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('a.ts'))

    expect([...filesOf(folder).keys()].filter((path) => path.endsWith('.tmp'))).toEqual([])
  })

  it('overwrites its own files, even edited ones', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('a.ts', 'old'))
    writeFileSync(join(folder, 'a.ts'), 'edited')
    emitTo(folder, file('a.ts', 'new'))

    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('new')
  })

  it('takes over a file that already is as it should be', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.ts'), 'same')
    emitTo(folder, file('a.ts', 'same'))
    emitTo(folder)

    expect(existsSync(join(folder, 'a.ts'))).toBe(false)
  })

  it.each([
    '../a.ts',
    'a/../../b.ts',
    '/a.ts',
    'a//b.ts',
    './a.ts',
    'a\\b.ts',
    'C:a.ts',
    '',
    MANIFEST,
  ])('refuses the path %j', (path) => {
    expect(() => plan(temporaryFolder(), [file(path)])).toThrow('may not write')
  })

  it('refuses two files of one path', () => {
    expect(() => plan(temporaryFolder(), [file('a.ts'), file('a.ts')])).toThrow('may not write')
  })
})

describe('an obstacle', () => {
  it('is not overwritten, and nothing else is written', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.ts'), 'by hand')
    const planned = plan(folder, [file('a.ts'), file('b.ts')])

    expect(planned.obstacles.map(({ path }) => path)).toEqual(['a.ts'])
    expect(() => carryOut(planned)).toThrow()
    expect(filesOf(folder)).toEqual(new Map([['a.ts', 'by hand']]))
  })

  it.each(['a.ts', 'a'])('is a folder at %s or a file on the way', (path) => {
    const folder = temporaryFolder()
    if (path === 'a.ts') mkdirSync(join(folder, path))
    else writeFileSync(join(folder, path), '')

    const { obstacles } = plan(folder, [file(path === 'a.ts' ? 'a.ts' : 'a/b.ts')])

    expect(obstacles.map((obstacle) => obstacle.path)).toEqual([path])
  })

  it('is a link that leads out of the folder', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(elsewhere, join(folder, 'linked'))
    writeFileSync(join(elsewhere, 'target.ts'), 'by hand')
    symlinkSync(join(elsewhere, 'target.ts'), join(folder, 'a.ts'))

    const { obstacles } = plan(folder, [file('linked/b.ts'), file('a.ts')])

    expect(obstacles.map(({ path }) => path)).toEqual(['linked', 'a.ts'])
  })
})

describe('pruning', () => {
  it('removes files that are no longer generated, and folders that become empty', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('a.ts'), file('b/c/d.ts'))
    emitTo(folder, file('a.ts'))

    expect([...filesOf(folder).keys()]).toEqual([MANIFEST, 'a.ts'])
    expect(existsSync(join(folder, 'b'))).toBe(false)
  })

  it('keeps files that it did not write', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('b/a.ts'))
    writeFileSync(join(folder, 'b/mine.ts'), 'by hand')
    emitTo(folder)

    expect([...filesOf(folder).keys()]).toEqual([MANIFEST, 'b/mine.ts'])
  })

  it('does not remove an edited file', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('a.ts'))
    writeFileSync(join(folder, 'a.ts'), 'edited')

    expect(plan(folder, []).obstacles.map(({ path }) => path)).toEqual(['a.ts'])
  })

  it('does not mind a listed file that is gone', () => {
    const folder = temporaryFolder()
    emitTo(folder, file('a.ts'))
    emitTo(folder, file('b.ts'))
    emitTo(folder)

    expect(plan(folder, [])).toMatchObject({ obstacles: [], remove: [], write: [] })
  })

  it.each(['../victim.ts', '/etc/hosts', 'a/../../victim.ts'])(
    'does not believe a list that names %s',
    (path) => {
      const parent = temporaryFolder()
      const folder = join(parent, 'out')
      mkdirSync(folder)
      writeFileSync(join(parent, 'victim.ts'), '')
      writeFileSync(join(folder, MANIFEST), JSON.stringify({ files: { [path]: 'hash' } }))

      expect(plan(folder, []).obstacles.map((obstacle) => obstacle.path)).toEqual([MANIFEST])
      expect(existsSync(join(parent, 'victim.ts'))).toBe(true)
    },
  )

  it('does not follow a link that has taken the place of a folder', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    emitTo(folder, file('b/a.ts', 'same'))
    writeFileSync(join(elsewhere, 'a.ts'), 'same')
    const moved = temporaryFolder()
    symlinkSync(elsewhere, join(moved, 'b'))
    writeFileSync(join(moved, MANIFEST), readFileSync(join(folder, MANIFEST)))

    expect(plan(moved, []).obstacles).toHaveLength(1)
    expect(existsSync(join(elsewhere, 'a.ts'))).toBe(true)
  })
})

it('marks each generated file of this repository in its first line', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, MANIFEST), 'utf8'))
  const paths = Object.keys(files)
  expect(paths.length).toBeGreaterThan(100)
  const unmarked = paths.filter((path) => {
    const [line] = readFileSync(join(ROOT, path), 'utf8').split('\n')
    return !line?.includes('Code generated by')
  })
  expect(unmarked).toEqual([])
})
