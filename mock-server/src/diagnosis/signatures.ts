import { SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER, SIGNATURE_PREFIX } from './facts.ts'
import type { Finding, Guess, Header } from './types.ts'

interface Change extends Finding {
  /** The value that may have been meant; the same value if this change does not apply. */
  undo(value: string): string
}

/** Mistakes in the header value around a right digest. */
export const SIGNATURE_CHANGES: readonly Change[] = [
  {
    name: 'signature_prefix_missing',
    text: `The digest is right, but ${SIGNATURE_PREFIX} is missing before it. The value must start with ${SIGNATURE_PREFIX}.`,
    undo: (value) => SIGNATURE_PREFIX + value,
  },
  {
    name: 'signature_label_wrong',
    text: `The digest is right, but the text before it is not ${SIGNATURE_PREFIX}. The sender must write exactly ${SIGNATURE_PREFIX}, in lower case.`,
    undo: (value) => value.replace(/^[\w-]{1,32}[=:]/, SIGNATURE_PREFIX),
  },
  {
    name: 'signature_form_wrong',
    text: `The digest is right, but the value has other characters. Write only ${SIGNATURE_PREFIX} and the digest, without quotes, spaces or other parts.`,
    undo: (value) => SIGNATURE_PREFIX + (DIGEST.exec(value.replace(/[\s:]/g, ''))?.[0] ?? ''),
  },
]

const DIGEST = /[\da-f]{64}|(?<![\w+/-])[\w+/-]{43}(?![\w+/-])=?/i

/** The signature as it is, then the possible originals, in the right header or another one. */
export function signaturesFrom(headers: readonly Header[]): Guess<string>[] {
  const own = valuesOf(headers, SIGNATURE_HEADER)
  const isEventTwice = valuesOf(headers, SIGNATURE_EVENT_HEADER).length > 1
  return [
    ...own.map((value) => ({
      value,
      ...(own.length > 1 && { finding: repeated(SIGNATURE_HEADER) }),
      ...(own.length === 1 && isEventTwice && { finding: repeated(SIGNATURE_EVENT_HEADER) }),
    })),
    ...own.flatMap((value) =>
      SIGNATURE_CHANGES.map(({ name, text, undo }) => ({
        value: undo(value),
        finding: { name, text },
      })),
    ),
    ...headers
      // The finding repeats the name, so only names that are safe for a terminal count.
      .filter(([name]) => /^[\w-]+$/.test(name) && !isNamed(name, SIGNATURE_HEADER))
      .map(([name, value]) => ({ value: trim(value), finding: elsewhere(name) })),
  ]
}

/** The values of a header, split where a proxy joined them. */
export function valuesOf(headers: readonly Header[], name: string): string[] {
  return headers
    .filter(([other]) => isNamed(other, name))
    .flatMap(([, value]) => value.split(','))
    .map(trim)
}

// Only spaces and tabs, like the verifier. Other white space is a fault to find.
function trim(value: string): string {
  return /^[ \t]*(.*[^ \t])?/s.exec(value)?.[1] ?? ''
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted
}

function repeated(header: string): Finding {
  return {
    name: 'header_repeated',
    text: `${header} appears more than once. One of the signatures is right. A proxy, a test client or a joined list added the other. Send the header once.`,
  }
}

function elsewhere(header: string): Finding {
  return {
    name: 'signature_elsewhere',
    text: `The signature is right, but it is in ${header} instead of ${SIGNATURE_HEADER}. A gateway or a framework renamed the header, or the two headers were swapped.`,
  }
}
