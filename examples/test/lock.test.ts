import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './packages.ts'

interface Locked {
  version?: string
  resolved?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}

const lock: { packages: Record<string, Locked> } = JSON.parse(
  await readFile(path.join(repository, 'package-lock.json'), 'utf8'),
)

// Where a build was not published yet, npm leaves it out, and installs on that platform fail.
test('the lock file lists the builds of every package for all its platforms', () => {
  const listed = new Set(
    Object.keys(lock.packages).map((place) => place.split('node_modules/').at(-1)),
  )
  const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !listed.has(name))
      .map((name) => `${name} of ${place}`),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry', () => {
  const addresses = Object.values(lock.packages).flatMap(({ resolved, link }) =>
    resolved === undefined || link ? [] : [resolved],
  )
  expect(addresses).toEqual([])
})
