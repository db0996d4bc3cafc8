import type { OutFile, Sources } from './emit/core/file.ts'
import type { Place } from './emit/core/readme.ts'
import * as go from './emit/go/index.ts'
import * as python from './emit/python/index.ts'
import * as ruby from './emit/ruby/index.ts'
import * as typescript from './emit/typescript/index.ts'
import type { Api, Refusal } from './model/types.ts'
import { readRuntime, readTools } from './repository.ts'

/** What the generator has to know of a language. */
export interface Language {
  /** Where its package lies, in `sdks` and in the folder of `--out`. */
  folder: 'typescript' | 'python' | 'ruby' | 'go'
  /** Names that this language cannot give. */
  nameClashes(api: Api): Refusal[]
  /** The generated files, from the folder of the package. */
  emit(api: Api, sources: Sources): OutFile[] | Promise<OutFile[]>
  emitReadme(api: Api, sources: Sources, place: Place): OutFile
  /** What a package for another contract holds beside them. */
  packageFiles(api: Api): OutFile[]
}

export const LANGUAGES: readonly Language[] = [
  {
    folder: 'typescript',
    nameClashes: typescript.nameClashes,
    emit: typescript.emitTypeScript,
    emitReadme: typescript.emitReadme,
    packageFiles: (api) => typescript.packageFiles(api, readRuntime('typescript'), readTools()),
  },
  {
    folder: 'python',
    nameClashes: python.nameClashes,
    emit: (api, sources) => python.formatPython(python.emitPython(api, sources)),
    emitReadme: python.emitReadme,
    packageFiles: (api) => python.packageFiles(api, readRuntime('python')),
  },
  {
    folder: 'ruby',
    nameClashes: ruby.nameClashes,
    emit: ruby.emitRuby,
    emitReadme: ruby.emitReadme,
    packageFiles: (api) => ruby.packageFiles(api, readRuntime('ruby')),
  },
  {
    folder: 'go',
    nameClashes: go.nameClashes,
    emit: (api, sources) => go.formatGo(go.emitGo(api, sources)),
    emitReadme: go.emitReadme,
    packageFiles: (api) => go.packageFiles(api, readRuntime('go')),
  },
]
