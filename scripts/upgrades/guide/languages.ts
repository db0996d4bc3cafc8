import type { ByLanguage } from '../../changes/types.ts'
import type { Snippet } from '../../emit/core/snippets.ts'
import { go } from '../../emit/go/language.ts'
import { writeSnippet as writeGo } from '../../emit/go/snippets.ts'
import { python } from '../../emit/python/language.ts'
import { writeSnippet as writePython } from '../../emit/python/snippets.ts'
import { ruby } from '../../emit/ruby/language.ts'
import { writeSnippet as writeRuby } from '../../emit/ruby/snippets.ts'
import { typescript } from '../../emit/typescript/language.ts'
import { writeSnippet as writeTypeScript } from '../../emit/typescript/snippets.ts'
import type { Api } from '../../model/types.ts'

/** How the guide calls a language and writes its code. */
interface Written {
  title: string
  fence: string
  write(snippet: Snippet, api: Api): string
}

export const WRITTEN: Readonly<ByLanguage<Written>> = {
  typescript: { ...typescript, write: writeTypeScript },
  python: { ...python, write: writePython },
  ruby: { ...ruby, write: writeRuby },
  go: { ...go, write: writeGo },
}
