declare module '@wasm-fmt/gofmt/gofmt_binding.js' {
  /** The exports of an instance of `gofmt.wasm`. */
  export interface Instance {
    _initialize(): void
  }
  export function format(instance: Instance, source: string): string
}
