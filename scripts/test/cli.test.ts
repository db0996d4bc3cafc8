import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HELP, parse } from '../cli.ts'
import { ROOT } from '../repository.ts'
import { CASES, filesOf, generate, temporaryFolder } from './support.ts'

const UNIONS = join(CASES, 'unions/openapi.yaml')
const NAMES = readFileSync(join(ROOT, 'sdks/names.yaml'), 'utf8')

function command(...args: string[]) {
  return new Promise<{ exit: number; stdout: string; stderr: string }>((resolve) => {
    const script = join(ROOT, 'scripts/generate.ts')
    execFile(process.execPath, [script, ...args], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ exit: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

describe('the command', () => {
  it('finds this repository up to date', async () => {
    expect(await command('--check')).toEqual({ exit: 0, stdout: '', stderr: '' })
  })

  it('prints its help', async () => {
    expect(await command('--help')).toEqual({ exit: 0, stdout: HELP, stderr: '' })
  })

  it('ends quietly where nobody reads what it prints', async () => {
    const args = ['--contract', UNIONS, '--out', temporaryFolder()]
    const child = spawn(process.execPath, [join(ROOT, 'scripts/generate.ts'), ...args])
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    await once(child, 'close')
    expect(stderr).toBe('')
  })

  it('exits with 2 over wrong usage', async () => {
    const { exit, stderr } = await command('--contrakt', 'a.yaml')
    expect(exit).toBe(2)
    expect(stderr).toContain("Unknown option '--contrakt'")
    expect(stderr).toContain('Usage: npm run generate')
  })

  it('exits with 1 over a problem, and names the file as it was given', async () => {
    const file = 'scripts/test/cases/negative/url-reference/openapi.yaml'
    const { exit, stderr } = await command('--contract', file, '--out', temporaryFolder())
    expect(exit).toBe(1)
    expect(stderr).toMatch(new RegExp(`^${file}:9:42: .+ URL`))
  })
})

describe('wrong usage', () => {
  it.each([
    [['--contract', 'a.yaml']],
    [['--out', 'dir']],
    [['--contract', '', '--out', 'dir']],
    [['--contract']],
    [['--check=yes']],
    [['openapi.yaml']],
  ])('is %j', (args) => {
    expect(parse(args)).toMatchObject({ exit: 2 })
  })
})

describe('--check', () => {
  it('names the files and the command, and writes nothing', async () => {
    const { out } = await generate(UNIONS)
    const path = 'typescript/src/generated/types.ts'
    writeFileSync(join(out, path), 'edited')
    const before = filesOf(out)

    const { exit, messages } = await generate(UNIONS, { out, check: true })

    expect(exit).toBe(1)
    expect(messages[0]).toBe(`not up to date: ${path}`)
    expect(messages[1]).toMatch(/^Run: npm run generate -- --contract .* --out /)
    expect(filesOf(out)).toEqual(before)
  })

  it('finds files that are no longer generated', async () => {
    const { out } = await generate(join(CASES, 'webhooks/openapi.yaml'))
    const { exit, messages } = await generate(UNIONS, { out, check: true })

    expect(exit).toBe(1)
    expect(messages).toContain('not up to date: typescript/src/generated/events.ts')
  })
})

describe('another folder', () => {
  it('keeps files of others, and reports them as obstacles', async () => {
    const out = temporaryFolder()
    writeFileSync(join(out, 'typescript'), 'by hand')
    const { exit, messages } = await generate(UNIONS, { out })

    expect(exit).toBe(1)
    expect(messages).toEqual([
      'typescript:1:1: a file that was not generated is in the way. Move it away, or write to another folder.',
    ])
    expect(filesOf(out)).toEqual(new Map([['typescript', 'by hand']]))
  })

  it('loses the files of a contract that no longer has them', async () => {
    const { out } = await generate(join(CASES, 'webhooks/openapi.yaml'))
    expect(filesOf(out, /src\/webhooks\//).size).toBeGreaterThan(5)

    expect((await generate(UNIONS, { out })).exit).toBe(0)
    expect(filesOf(out, /src\/webhooks\/|events\.ts/).size).toBe(0)
  })
})

describe('--names', () => {
  it('gives the package, the client and its errors their names', async () => {
    const folder = temporaryFolder()
    const names = join(folder, 'names.yaml')
    const pet: Record<string, string> = {
      ...{ title: 'Pet Shop', client: 'PetShop', env_prefix: 'PET_SHOP' },
      ...{ npm: '"@pet-shop/sdk"', mock_npm: '"@pet-shop/mock-server"' },
    }
    const renamed = NAMES.replace(/^(\w+): .*$/gm, (line, key) =>
      pet[key] ? `${key}: ${pet[key]}` : line,
    )
    writeFileSync(names, renamed)

    const { out, exit } = await generate(UNIONS, { names })

    expect(exit).toBe(0)
    const files = filesOf(join(out, 'typescript'))
    expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({ name: '@pet-shop/sdk' })
    expect(files.get('src/generated/client.ts')).toContain('export class PetShop extends')
    expect(files.get('src/generated/names.ts')).toContain('class PetShopError extends Error')
    files.delete('LICENSE')
    const leftovers = [...files].filter(([, content]) => /support.?chat/i.test(content))
    expect(leftovers.map(([path]) => path)).toEqual([])
  })

  it.each([
    ['client', '"X { } evil"'],
    ['npm', '"../../etc"'],
    ['gem', '"a; rm -rf /"'],
    ['gem', '"acme-api"'],
    ['ruby_module', '"Acme::API"'],
    ['ruby_module', '"JSON"'],
    ['go_module', '"github.com/../../x"'],
    ['published', '"yes"'],
  ])('refuses %s: %s', async (key, value) => {
    const names = join(temporaryFolder(), 'names.yaml')
    writeFileSync(names, NAMES.replace(new RegExp(`^${key}: .*$`, 'm'), `${key}: ${value}`))

    const { exit, messages, out } = await generate(UNIONS, { names })

    expect(exit).toBe(1)
    const line = NAMES.split('\n').findIndex((text) => text.startsWith(`${key}:`)) + 1
    expect(messages).toEqual([expect.stringContaining(`names.yaml:${line}:1: ${key} must`)])
    expect(filesOf(out).size).toBe(0)
  })

  it('refuses an unknown key', async () => {
    const names = join(temporaryFolder(), 'names.yaml')
    writeFileSync(names, `${NAMES}nmp: x\n`)
    const { messages } = await generate(UNIONS, { names })
    expect(messages).toEqual([expect.stringContaining('nmp is unknown')])
  })
})

describe('--overlay', () => {
  it('applies overlays before it checks the document', async () => {
    const overlay = join(temporaryFolder(), 'overlay.yaml')
    writeFileSync(
      overlay,
      `overlay: 1.0.0
info: { title: Names, version: "1" }
actions:
  - target: $.paths['/Orders']
    remove: true
  - target: $.components.schemas.order_item
    update: { x-sdk-name: Position }
  - target: $.components.schemas.Order.properties.item
    update: { x-sdk-name: OrderedItem }
`,
    )
    const file = join(CASES, 'negative/same-names/openapi.yaml')
    expect((await generate(file)).exit).toBe(1)

    const { exit, messages, out } = await generate(file, { overlays: [overlay] })

    expect(messages).toEqual([])
    expect(exit).toBe(0)
    const types = filesOf(out).get('typescript/src/generated/types.ts') ?? ''
    for (const name of ['Position', 'OrderedItem', 'OrderItem']) {
      expect(types).toContain(`export interface ${name} {`)
    }
  })

  it('is refused when it is none', async () => {
    const overlay = join(temporaryFolder(), 'overlay.yaml')
    writeFileSync(overlay, 'actions: []\n')
    const { exit, messages } = await generate(UNIONS, { overlays: [overlay] })
    expect(exit).toBe(1)
    expect(messages[0]).toContain('is not an Overlay 1.0')
  })
})

describe('--skip-unsupported', () => {
  it('leaves out inexpressible parts and their dependents, and lists both', async () => {
    const file = join(CASES, 'negative/unsupported/openapi.yaml')
    const { exit, messages, out } = await generate(file, { skipUnsupported: true })

    expect(exit).toBe(0)
    expect(messages.filter((message) => message.startsWith('left out'))).toEqual([
      'left out: GET /cookies',
      'left out: POST /documents',
      'left out: GET /points',
      'left out: type Point',
    ])
    expect(messages.filter((message) => /^openapi\.yaml:\d+:\d+: /.test(message))).toHaveLength(3)
    const resources = filesOf(join(out, 'typescript/src/generated/resources'))
    expect([...resources.keys()]).toEqual(['fine.ts'])
    expect(filesOf(out).get('typescript/src/generated/types.ts')).not.toContain('Point')
  })

  it('leaves out a part whose name is taken', async () => {
    const file = join(CASES, 'negative/same-names/openapi.yaml')
    const { exit, messages } = await generate(file, { skipUnsupported: true })

    expect(exit).toBe(0)
    expect(messages.filter((message) => message.startsWith('left out'))).toEqual([
      'left out: GET /orders',
      'left out: type Order',
      'left out: type OrderItem',
    ])
  })

  it('leaves out parts that are not as they should be', async () => {
    const file = join(CASES, 'negative/dangling-reference/openapi.yaml')
    const { exit, messages } = await generate(file, { skipUnsupported: true })

    expect(exit).toBe(0)
    expect(messages.at(-1)).toBe('left out: type A')
  })

  it('does not excuse a document that is wrong as a whole', async () => {
    const file = join(CASES, 'negative/extensions/openapi.yaml')
    expect((await generate(file, { skipUnsupported: true })).exit).toBe(1)
  })
})
