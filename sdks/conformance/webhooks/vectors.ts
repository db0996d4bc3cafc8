import { bodyCases } from './cases/body.ts'
import { headerCases } from './cases/headers.ts'
import { nestingCases } from './cases/nesting.ts'
import { secretCases } from './cases/secrets.ts'
import { signatureCases } from './cases/signatures.ts'
import { surrogateCases } from './cases/surrogates.ts'
import { timeCases } from './cases/times.ts'

/** A delivery and the verdict on it. Plain JSON, so that any language can read it. */
export interface Vector {
  id: string
  /** The rule, as a sentence. */
  rule: string
  /** The encoding that the contract has to have for this verdict; hex, which every contract has, by default. */
  encoding?: 'base64' | 'base64url'
  secrets: string[]
  /** Text with a number of trailing spaces, or bytes. */
  body: { utf8: string; spaces?: number } | { base64: string }
  headers: [name: string, value: string][]
  /** In seconds. */
  tolerance?: number
  /** The clock; 2026-03-02T09:21:48Z by default. */
  now?: string
  maxBodyBytes?: number
  /** `ok`, or the code of the refusal. */
  result: string
  /** The hint of the refusal. */
  hint?: string
}

export const vectors: readonly Vector[] = [
  ...secretCases,
  ...signatureCases,
  ...headerCases,
  ...bodyCases,
  ...nestingCases,
  ...surrogateCases,
  ...timeCases,
]
