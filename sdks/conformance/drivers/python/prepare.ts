import { join } from 'node:path'
import { tool } from '../../../../scripts/toolchain/languages/python.ts'
import type { Prepare } from '../../runner/languages.ts'

const MODES: Readonly<Record<string, string>> = { python: 'sync', 'python-async': 'async' }

export const prepare: Prepare = async (folder, client) => ({
  program: tool('python'),
  args: ['-X', 'utf8', join(import.meta.dirname, 'driver.py'), MODES[client] ?? client],
  env: { PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
})
