import { existsSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { ROOT } from '../../../repository.ts'
import type { Complaints, Programs, Run, Surroundings } from './language.ts'
import { play } from './process.ts'

export const extension = 'ts'

const RUNNER = fileURLToPath(new URL('runners/run.mjs', import.meta.url))
const DEPRECATED = 6385

export async function check({
  package: folder,
  files,
}: Programs): Promise<Map<string, Complaints>> {
  provideModules(folder)
  const program = ts.createProgram([...files.values()], optionsOf(folder))
  const found = new Map<string, Complaints>()
  const text = ({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, ' ')
  for (const [kind, file] of files) {
    const source = program.getSourceFile(file)
    const errors = ts.getPreEmitDiagnostics(program, source).map(text)
    found.set(kind, { errors, warnings: deprecations(program, file) })
  }
  return found
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

/** What an editor strikes through. The compiler tells it to the language service alone. */
function deprecations(program: ts.Program, file: string): string[] {
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => program.getCompilerOptions(),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '0',
    getScriptSnapshot: (name) => {
      const text = program.getSourceFile(name)?.text ?? ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => dirname(file),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  }
  const service = ts.createLanguageService(host)
  return service
    .getSuggestionDiagnostics(file)
    .filter(({ code }) => code === DEPRECATED)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
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
