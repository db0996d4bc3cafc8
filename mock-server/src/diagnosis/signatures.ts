import { SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER, SIGNATURE_PREFIX } from './facts.ts'
import type { Finding, Guess, Header } from './types.ts'

interface Change extends Finding {
  /** The value that may have been meant; the same one where it is not of this kind. */
  undo(value: string): string
}

/** How the value of the header goes wrong while its digest is right. */
export const SIGNATURE_CHANGES: readonly Change[] = [
  {
    name: 'signature_prefix_missing',
    text: `The digest is right, but the value must begin with ${SIGNATURE_PREFIX}; it stands alone here.`,
    undo: (value) => SIGNATURE_PREFIX + value,
  },
  {
    name: 'signature_label_wrong',
    text: `The digest is right, but what stands before it is not ${SIGNATURE_PREFIX}, in lower case: whoever signs must write exactly that.`,
    undo: (value) => value.replace(/^[\w-]{1,32}[=:]/, SIGNATURE_PREFIX),
  },
  {
    name: 'signature_form_wrong',
    text: `The digest is right, but the value must be ${SIGNATURE_PREFIX} and the digest, with nothing before, between or after: no quotes, spaces or other parts.`,
    undo: (value) => SIGNATURE_PREFIX + (DIGEST.exec(value.replace(/[\s:]/g, ''))?.[0] ?? ''),
  },
]

const DIGEST = /[\da-f]{64}|(?<![\w+/-])[\w+/-]{43}(?![\w+/-])=?/i

/** The signature as it is, then what it may have been, in the right header or another one. */
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
      // A name is repeated in the finding, so it must be one that a terminal shows as it is.
      .filter(([name]) => /^[\w-]+$/.test(name) && !isNamed(name, SIGNATURE_HEADER))
      .map(([name, value]) => ({ value: trim(value), finding: elsewhere(name) })),
  ]
}

/** The values of a header; those that were joined on the way are taken apart. */
export function valuesOf(headers: readonly Header[], name: string): string[] {
  return headers
    .filter(([other]) => isNamed(other, name))
    .flatMap(([, value]) => value.split(','))
    .map(trim)
}

// Blanks alone, as the verifier does it; other white space is a fault to be found.
function trim(value: string): string {
  return /^[ \t]*(.*[^ \t])?/s.exec(value)?.[1] ?? ''
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted
}

function repeated(header: string): Finding {
  return {
    name: 'header_repeated',
    text: `${header} is there more than once, and its signature is right: a proxy, a test client or a joined list added one. Send it once.`,
  }
}

function elsewhere(header: string): Finding {
  return {
    name: 'signature_elsewhere',
    text: `The signature is right, but stands in ${header}; it belongs in ${SIGNATURE_HEADER}. A gateway or a framework renamed it, or the two headers were mixed up.`,
  }
}
