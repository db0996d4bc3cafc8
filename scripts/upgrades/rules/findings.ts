import type { NapiConfig, SgNode } from '@ast-grep/napi'
import type { Language } from '../../changes/types.ts'
import { GRAMMARS } from './languages/index.ts'
import type { Rule } from './types.ts'

/** Code that a change hits. Lines and columns count from 1. */
export interface Hit {
  rule: Rule
  line: number
  column: number
  /** In characters of the source, the end excluded. */
  start: number
  end: number
  text: string
  /** What a certain rule makes of it; null where there is no such thing. */
  replacement: string | null
}

/** Finds what rules of a language say about a source, in its order. */
export async function findings(
  rules: readonly Rule[],
  language: Language,
  source: string,
  { jsx = false }: { jsx?: boolean } = {},
): Promise<Hit[]> {
  const parse = await parser()
  const { dialects } = GRAMMARS[language]
  const dialect = (jsx ? dialects.at(-1) : dialects[0]) as string
  const root = parse(dialect, source).root()
  const hits = rules
    .filter((rule) => rule.language === language && rule.words.some((one) => source.includes(one)))
    .flatMap((rule) => {
      const { rule: match, utils } = rule
      const config = { rule: match, ...(utils && { utils }) } as NapiConfig
      return root.findAll(config).map((node) => hitOf(rule, node))
    })
  return hits.sort((a, b) => a.start - b.start || (a.rule.id < b.rule.id ? -1 : 1))
}

/** The source after what is certain. Of replacements that overlap, the first counts. */
export function rewrite(source: string, hits: readonly Hit[]): string {
  let rewritten = ''
  let end = 0
  for (const hit of hits) {
    if (hit.replacement === null || hit.start < end) continue
    rewritten += source.slice(end, hit.start) + hit.replacement
    end = hit.end
  }
  return rewritten + source.slice(end)
}

function hitOf(rule: Rule, node: SgNode): Hit {
  const { start, end } = node.range()
  const replacement = rule.fix?.replace(/\$([A-Z]+)/g, (all, name: string) => {
    return node.getMatch(name)?.text() ?? all
  })
  return {
    rule,
    line: start.line + 1,
    column: start.column + 1,
    start: start.index,
    end: end.index,
    text: node.text(),
    replacement: replacement ?? null,
  }
}

type Parse = (dialect: string, source: string) => { root(): SgNode }

let loaded: Promise<Parse> | null = null

/** Loaded when it is needed: the parsers are native code. */
function parser(): Promise<Parse> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Parse> {
  const [{ parse, registerDynamicLanguage }, python, ruby, go] = await Promise.all([
    import('@ast-grep/napi'),
    import('@ast-grep/lang-python'),
    import('@ast-grep/lang-ruby'),
    import('@ast-grep/lang-go'),
  ])
  registerDynamicLanguage({ Python: python.default, Ruby: ruby.default, Go: go.default })
  return parse
}
