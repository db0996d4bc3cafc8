import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../../repository.ts'
import { filesOf } from '../support.ts'

/** The files that depend on the document. The others are the same in all cases, as in sdks/typescript. */
export const KEPT =
  /^src\/generated\/(?:types|contract|events|samples|signature|client|paths|resources\/.*)\.ts$/

/** Type-checks packages, runtime included. Resolves to the faults. */
export async function check(packages: readonly string[]): Promise<string[]> {
  const [first = ''] = packages
  symlinkSync(join(ROOT, 'node_modules'), join(dirname(dirname(first)), 'node_modules'), 'dir')
  const { config } = ts.readConfigFile(join(first, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, first)
  const files = packages.flatMap((folder) =>
    [...filesOf(folder, /^src\/.*\.ts$/).keys()].map((path) => join(folder, path)),
  )
  if (files.length < packages.length * 20) return ['The packages lack files.']
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, options))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
}

/** Checks that code can be parsed; nothing here lays it out. */
export function layOut(blocks: readonly string[]): string[] {
  for (const code of blocks) {
    const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true })
    const [wrong] = diagnostics
    if (wrong)
      throw new Error(`${ts.flattenDiagnosticMessageText(wrong.messageText, ' ')}:\n${code}`)
  }
  return [...blocks]
}
