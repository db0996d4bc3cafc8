import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { constant } from '../../emit/ruby/naming.ts'
import { programs } from '../../toolchain/languages/ruby.ts'
import { filesOf } from '../support.ts'
import type { Fields } from './seen.ts'

interface Declared {
  name: string
  wire: string
  const: unknown
  optional: boolean
}

const SCRIPT = fileURLToPath(new URL('fields.rb', import.meta.url))

/** Loads the gems and reads their classes. The signatures say whether nil is a value. */
export function read(packages: readonly string[]): Fields[] {
  const output = execFileSync(programs.ruby, [SCRIPT, ...packages], { encoding: 'utf8' })
  const gems = JSON.parse(output) as Array<Record<string, Declared[]>>
  return gems.map((models, index) => {
    const types = signatures(packages[index] ?? '')
    const fields: Fields = new Map()
    for (const [model, declared] of Object.entries(models)) {
      // Some are the runtime's own.
      if (![...types.keys()].some((key) => key.startsWith(`${model}.`))) continue
      for (const { name, wire, const: value, optional } of declared) {
        const type = types.get(`${model}.${name}`)
        if (type === undefined) throw new Error(`No signature has ${model}#${name}`)
        const hasNil = /\?$|^(?:nil|untyped)$/.test(type)
        if (optional && !hasNil) throw new Error(`The signature of ${model}#${name} lacks nil`)
        fields.set(`${model}.${wire}`, {
          mayBeAbsent: optional,
          // An absent field is nil too.
          nullable: optional ? null : hasNil,
          closed: value !== null || /^(?:".*"|-?\d+|true|false)\??$/.test(type),
        })
      }
    }
    return fields
  })
}

function signatures(folder: string): Map<string, string> {
  const [text = ''] = filesOf(folder, /^sig\/generated\/types\.rbs$/).values()
  const types = new Map<string, string>()
  let model = ''
  for (const line of text.split('\n')) {
    model = /^ {2}class (\w+) </.exec(line)?.[1] ?? model
    const [, name, type = ''] = /^ {4}attr_reader (\w+): (.*)$/.exec(line) ?? []
    if (name) types.set(`${model}.${name}`, type)
  }
  return types
}

export const namer = () => constant

/** Arguments have no type. */
export const hasAllTypes = false
