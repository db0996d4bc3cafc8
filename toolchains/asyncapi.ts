import { load } from '../scripts/toolchain/packages.ts'

export const { DiagnosticSeverity, Parser } =
  load<typeof import('@asyncapi/parser')>('@asyncapi/parser')
