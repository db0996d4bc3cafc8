import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const SRC = new URL('../src', import.meta.url).pathname

/** Each folder and the folders that it may import from. The files beside them connect the folders. */
const ROOMS: Record<string, string[]> = {
  door: [],
  contract: ['door'],
  pages: ['door', 'contract'],
  files: [],
  store: [],
  delivery: ['door', 'store'],
  record: ['door', 'store', 'delivery'],
  tracing: ['door', 'store', 'delivery'],
  sandbox: ['door', 'contract', 'files', 'store', 'delivery', 'tracing'],
  revisions: ['door', 'contract', 'store', 'sandbox'],
  requests: ['door', 'store', 'faults', 'record'],
  faults: ['door', 'store'],
  control: ['door', 'contract', 'store', 'delivery', 'record', 'requests', 'faults', 'sandbox'],
  metrics: ['door', 'store'],
  hosted: ['metrics', 'door', 'contract', 'store', 'sandbox', 'control', 'dashboard'],
  dashboard: [
    'door',
    'contract',
    'pages',
    'store',
    'delivery',
    'diagnosis',
    'record',
    'requests',
    'faults',
    'sandbox',
    'control',
  ],
  diagnosis: [],
  integration: ['door', 'contract', 'record'],
  certify: ['door', 'contract', 'store', 'delivery', 'sandbox'],
  mcp: ['door', 'contract', 'diagnosis', 'sandbox', 'control'],
  cli: [
    'door',
    'contract',
    'diagnosis',
    'files',
    'store',
    'delivery',
    'record',
    'requests',
    'integration',
    'certify',
    'faults',
    'control',
    'hosted',
    'mcp',
    'tracing',
  ],
}

/** Files that every folder may import: the paths of assets, and the API of the contract. */
const BESIDE = new Set(['assets.ts', 'api.ts'])

it('imports point in one direction, from the command line to the door', () => {
  const wrong: string[] = []
  for (const entry of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts')) continue
    const [room = '', inRoom] = entry.split('/')
    if (inRoom === undefined) continue
    const allowed = ROOMS[room] ?? []
    for (const [, target = ''] of readFileSync(join(SRC, entry), 'utf8').matchAll(
      /from '(\.[^']+)'/g,
    )) {
      const path = relative(SRC, join(SRC, dirname(entry), target))
      const [imported = '', inside] = path.split('/')
      const isBeside = inside === undefined && (room === 'cli' || BESIDE.has(imported))
      if (imported !== room && !isBeside && !allowed.includes(imported))
        wrong.push(`${entry} → ${target}`)
    }
  }
  expect(wrong).toEqual([])
})
