import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { repository } from './packages.ts'

interface Locked {
  version?: string
  resolved?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}

describe.for(['package-lock.json', 'toolchains/package-lock.json'])('%s', (lock) => {
  let packages: Record<string, Locked>
  beforeAll(async () => {
    packages = JSON.parse(await readFile(path.join(repository, lock), 'utf8')).packages
  })

  // Where a build was not published yet, npm leaves it out, and installs on that platform fail.
  test('lists the builds of every package for all its platforms', () => {
    const listed = new Set(
      Object.keys(packages).map((location) => location.split('node_modules/').at(-1)),
    )
    const missing = Object.entries(packages).flatMap(([location, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !listed.has(name))
        .map((name) => `${name} of ${location}`),
    )
    expect(missing).toEqual([])
  })

  test('names no registry', () => {
    const addresses = Object.values(packages).flatMap(({ resolved, link }) =>
      resolved === undefined || link ? [] : [resolved],
    )
    expect(addresses).toEqual([])
  })
})
