import { describe } from 'vitest'
import { here } from './cases.ts'
import { frameworks } from './frameworks.ts'
import { receives } from './suite.ts'

describe.each(Object.entries(frameworks))('a receiver in %s', (_, framework) => {
  const { start, consumed, ...place } = framework
  receives((setting) => here(setting, setting.consumed ? consumed : start), place)
})
