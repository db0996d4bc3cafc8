import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, type Instance } from '@wasm-fmt/gofmt/gofmt_binding.js'

/** About how many characters an instance formats. It never gives memory back. */
const LIFE = 200_000

const compiled = new WebAssembly.Module(
  readFileSync(fileURLToPath(import.meta.resolve('@wasm-fmt/gofmt/wasm'))),
)
let instance: Instance | null = null
let used = 0

/** Formats a Go file as gofmt does. @throws Error for an invalid one. */
export function gofmt(source: string): string {
  if (!instance || used > LIFE) {
    instance = new WebAssembly.Instance(compiled).exports as unknown as Instance
    instance._initialize()
    used = 0
  }
  used += source.length
  return format(instance, source)
}
