import type { Language } from '../../../changes/types.ts'
import type { Grammar } from '../grammar.ts'
import { go } from './go.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { typescript } from './typescript.ts'

export const GRAMMARS: Readonly<Record<Language, Grammar>> = { typescript, python, ruby, go }
