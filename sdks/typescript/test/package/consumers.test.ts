import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileOf } from '../../../../scripts/toolchain/packages.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const LIBRARIES = { 'the DOM': 'es2022,dom,dom.iterable', 'Node.js alone': 'es2022' }

/** What strict-frameworks.txt imports: of the toolchains, or else of this workspace. */
const FOREIGN = [
  '@nestjs/common',
  '@nestjs/core',
  '@sveltejs/kit',
  '@types/aws-lambda',
  '@types/better-sqlite3',
  '@types/express',
  '@types/koa',
  '@types/pg',
  'better-sqlite3',
  'express',
  'fastify',
  'hono',
  'ioredis',
  'ioredis-5',
  'koa',
  'next',
  'pg',
  'postgres',
  'react-router',
  'redis',
  'redis-4',
]

async function link(project: string, name: string): Promise<void> {
  const own = ['express', '@types/express'].includes(name)
  const installed = own ? require.resolve(`${name}/package.json`) : fileOf(`${name}/package.json`)
  const target = join(project, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  if (!existsSync(target)) await symlink(dirname(installed), target)
}

describe('a strict project that uses the package', () => {
  let project = ''
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'strict-'))
    const folder = join(project, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
    for (const types of ['@types/node', 'undici-types']) {
      const target = join(project, 'node_modules', types)
      mkdirSync(dirname(target), { recursive: true })
      const from =
        types === 'undici-types' ? dirname(require.resolve('@types/node/package.json')) : root
      const installed = createRequire(`${from}/package.json`).resolve(`${types}/package.json`)
      symlinkSync(dirname(installed), target)
    }
    cpSync(join(import.meta.dirname, 'strict-consumer.txt'), join(project, 'main.mts'))
  })
  afterAll(() => rmSync(project, { recursive: true }))

  it.each([
    ['TypeScript 5.9', 'the DOM', () => require.resolve('typescript/bin/tsc')],
    ['TypeScript 5.4', 'Node.js alone', () => fileOf('typescript-5.4/bin/tsc')],
  ] as const)('compiles with %s and the types of %s', async (_, types, tsc) => {
    const lib = LIBRARIES[types]
    const flags =
      '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --declaration --outDir out'
    const modules = '--module nodenext --moduleResolution nodenext --target es2022 --types node'
    const args = [...`${flags} ${modules} --lib ${lib}`.split(' '), 'main.mts']
    const { stdout } = await run(process.execPath, [tsc(), ...args], { cwd: project }).catch(
      (error) => error,
    )
    expect(stdout).toBe('')
  })

  it.each(['nodenext', 'bundler'])(
    'fits the types of frameworks and database clients without a cast (%s)',
    async (moduleResolution) => {
      for (const installed of FOREIGN) await link(project, installed)
      cpSync(join(import.meta.dirname, 'strict-frameworks.txt'), join(project, 'frameworks.mts'))
      const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution
      const flags =
        '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --isolatedDeclarations --declaration --verbatimModuleSyntax'
      // Of the libraries, some declarations do not pass.
      const others =
        '--skipLibCheck --noEmit --target es2022 --types node --lib es2022,dom,dom.iterable'
      const modules = `--module ${module} --moduleResolution ${moduleResolution} --esModuleInterop`
      const args = [...`${flags} ${others} ${modules}`.split(' '), 'frameworks.mts']
      const tsc = require.resolve('typescript/bin/tsc')
      const { stdout } = await run(process.execPath, [tsc, ...args], { cwd: project }).catch(
        (error) => error,
      )
      expect(stdout).toBe('')
    },
    180_000,
  )

  it('is bundled without a warning', async () => {
    const { exports, peerDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    )
    const { './package.json': _, ...entries } = exports
    const contents = Object.keys(entries)
      .map((entry) => `export * from '${name}${entry.slice(1)}'`)
      .join('\n')
    writeFileSync(join(project, 'entry.js'), contents)
    const { warnings } = await build({
      entryPoints: [join(project, 'entry.js')],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      external: Object.keys(peerDependencies),
      logLevel: 'silent',
    })
    expect(warnings).toEqual([])
  })

  it('finds the sources of the code by its source maps', () => {
    const map = JSON.parse(readFileSync(join(root, 'dist/webhooks.js.map'), 'utf8'))
    expect(map.sources).toContain('../src/webhooks/webhooks.ts')
    expect(map.sourcesContent).toHaveLength(map.sources.length)
  })
})
