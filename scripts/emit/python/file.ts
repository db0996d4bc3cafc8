import { header, type OutFile } from '../core/file.ts'
import { Writer } from '../core/writer.ts'
import { docString } from './doc.ts'
import { compareMembers, compareNatural } from './order.ts'

const WIDTH = 100

type Use = 'runtime' | 'typing'

/** A module that is imported from: of this package, or an absolute one. */
const OWN = /^(?:_(?:core|generated|version)\b|webhooks\.)/

/** A module. It collects its imports and writes them first. */
export class PythonFile extends Writer {
  readonly #path: string
  readonly #source: string
  readonly #summary: string
  readonly #modules = new Set<string>()
  readonly #imports = { runtime: new Names(), typing: new Names() }

  /**
   * @param path From the folder of the package.
   * @param source The source that the header names.
   * @param summary The module's docstring.
   */
  constructor(path: string, source: string, summary: string) {
    super('    ')
    this.#path = path
    this.#source = source
    this.#summary = summary
  }

  /** How many columns a line may still take. */
  get width(): number {
    return WIDTH - this.indentation
  }

  /**
   * Imports a name and gives it back.
   *
   * @param module From the package, like `_core.model`, or absolute.
   * @param when `typing`: only type checkers need it.
   */
  use(name: string, module: string, when: Use = 'runtime'): string {
    this.#imports[when].add(this.relative(module), name)
    return name
  }

  /** Imports a module as a whole and returns its name. */
  useModule(module: string, name = module): string {
    this.#modules.add(name === module ? module : `${module} as ${name}`)
    return name
  }

  /** A module as this one imports from it. */
  relative(module: string): string {
    if (!OWN.test(module)) return module
    const here = this.#path.split('/').slice(0, -1)
    const there = module.split('.')
    const differs = here.findIndex((folder, index) => folder !== there[index])
    const common = differs === -1 ? here.length : differs
    return '.'.repeat(here.length - common + 1) + there.slice(common).join('.')
  }

  /** Writes a docstring; nothing where there is nothing to say. */
  doc(text: string | null, more: readonly string[] = []): this {
    const doc = docString(text ?? '', this.width, more)
    return doc === null ? this : this.lines(doc)
  }

  finish(): OutFile {
    const body = this.toString()
    const summary = docString(this.#summary, WIDTH) ?? ''
    const top = [`# ${header(this.#source)}`, summary]
    if (body.trim() === '') return { path: this.#path, content: `${top.join('\n')}\n` }
    if (!this.#imports.typing.isEmpty) this.use('TYPE_CHECKING', 'typing')
    const modules = [...this.#modules].sort(compareNatural).map((module) => `import ${module}`)
    const typing = this.#imports.typing.lines().map((line) => (line === '' ? '' : `    ${line}`))
    return {
      path: this.#path,
      content: [
        ...top,
        '',
        'from __future__ import annotations',
        '',
        ...this.#imports.runtime.lines(modules),
        '',
        ...(typing.length > 0 ? ['if TYPE_CHECKING:', ...typing, ''] : []),
        body,
      ].join('\n'),
    }
  }
}

/** Names by the modules that they come from. */
class Names {
  readonly #byModule = new Map<string, Set<string>>()

  get isEmpty(): boolean {
    return this.#byModule.size === 0
  }

  add(module: string, name: string): void {
    const names = this.#byModule.get(module) ?? new Set<string>()
    this.#byModule.set(module, names.add(name))
  }

  /** Import statements in ruff's sections: standard library, third parties, this package. */
  lines(modules: readonly string[] = []): string[] {
    const from = [...this.#byModule].sort(([a], [b]) => compareModules(a, b))
    const section = (kind: number) =>
      from
        .filter(([module]) => sectionOf(module) === kind)
        .map(([module, names]) => `from ${module} import ${members(names)}`)
    return [[...modules, ...section(0)], section(1), section(2)]
      .filter((lines) => lines.length > 0)
      .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
  }
}

function members(names: ReadonlySet<string>): string {
  return [...names].sort(compareMembers).join(', ')
}

function sectionOf(module: string): number {
  if (module.startsWith('.')) return 2
  return module === 'typing_extensions' ? 1 : 0
}

/** Sorts distant modules first. */
function compareModules(a: string, b: string): number {
  return dots(b) - dots(a) || compareNatural(a, b)
}

function dots(module: string): number {
  return module.length - module.replace(/^\.+/, '').length
}
