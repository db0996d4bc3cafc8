import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { ROOT } from '../../../repository.ts'
import type { Complaints, Programs, Run, Surroundings } from './language.ts'
import { play } from './process.ts'

export const extension = 'ts'

const RUNNER = fileURLToPath(new URL('runners/run.mjs', import.meta.url))
/** Of a declaration, and of a signature. */
const DEPRECATED = [6385, 6387]

/** By the language service: the compiler itself does not tell what is deprecated. */
export async function check({
  package: folder,
  files,
}: Programs): Promise<Map<string, Complaints>> {
  provideModules(folder)
  const service = ts.createLanguageService(hostOf(folder, [...files.values()]))
  const found = [...files].map(([kind, file]): [string, Complaints] => {
    const errors = [
      ...service.getSyntacticDiagnostics(file),
      ...service.getSemanticDiagnostics(file),
    ]
    const hints = service.getSuggestionDiagnostics(file)
    const warnings = hints.filter(({ code }) => DEPRECATED.includes(code))
    return [kind, { errors: errors.map(textOf), warnings: warnings.map(textOf) }]
  })
  service.dispose()
  return new Map(found)
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, ' ')
}

function hostOf(folder: string, files: string[]): ts.LanguageServiceHost {
  const options = optionsOf(folder)
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '0',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  }
}

function optionsOf(folder: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  return { ...options, noEmit: true, paths: sourcesOf(folder) }
}

/** The sources of the package by the names under which programs import them. */
function sourcesOf(folder: string): Record<string, string[]> {
  return {
    '@shop/sdk': [join(folder, 'src/index.ts')],
    '@shop/sdk/webhooks': [join(folder, 'src/webhooks/index.ts')],
  }
}

export async function run(
  programs: Programs,
  surroundings: Surroundings,
): Promise<Map<string, Run>> {
  const { package: folder, files } = programs
  provideModules(folder)
  const imports = [...files].map(
    ([kind, file]) => `  ${JSON.stringify(kind)}: () => import(${JSON.stringify(file)}),\n`,
  )
  const outfile = join(folder, 'witnesses.mjs')
  await build({
    stdin: {
      contents: `import { main } from ${JSON.stringify(RUNNER)}\nawait main({\n${imports.join('')}})\n`,
      resolveDir: folder,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    nodePaths: [join(ROOT, 'node_modules')],
    alias: Object.fromEntries(
      Object.entries(sourcesOf(folder)).map(([name, [file = '']]) => [name, file]),
    ),
  })
  return play(process.execPath, [outfile], surroundings)
}

/** The package's sources import what the repository has installed. */
function provideModules(folder: string): void {
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) symlinkSync(join(ROOT, 'node_modules'), link, 'dir')
}
