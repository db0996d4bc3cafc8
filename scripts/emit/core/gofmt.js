// In JavaScript, because the binding of @wasm-fmt/gofmt has no types. gofmt.d.ts has those of this file.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from '@wasm-fmt/gofmt/gofmt_binding.js'

/** About how many characters an instance formats. It never gives memory back. */
const LIFE = 200_000

let compiled = null
let instance = null
let used = 0

export function gofmt(source) {
  if (!instance || used > LIFE) {
    // Not before it is needed: programs that only write calls are bundled without it.
    compiled ??= new WebAssembly.Module(
      readFileSync(fileURLToPath(import.meta.resolve('@wasm-fmt/gofmt/wasm'))),
    )
    instance = new WebAssembly.Instance(compiled).exports
    instance._initialize()
    used = 0
  }
  used += source.length
  return format(instance, source)
}
