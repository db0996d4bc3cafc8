import type { Policy, Signature, StatusRange } from '../../model/types.ts'

/** A constant by the keys that lead to it. */
export type Leaf = [path: string[], value: unknown]

/** The parts of the policy that a runtime needs as constants, in groups. */
export function policyGroups(policy: Policy): object[] {
  const { timeoutMs, retries, headers, errors, mismatches, log, redaction, webhooks } = policy
  const { unknownStatuses, maxMessageChars, reasons } = errors
  const { levels, level } = log
  const { failures: _failures, stores: _stores, ...receiving } = webhooks
  return [
    { timeoutMs },
    { retries },
    { headers },
    { errors: { unknownStatuses, maxMessageChars, reasons } },
    { mismatches },
    { log: { levels, level } },
    { redaction },
    { webhooks: receiving },
  ]
}

/** The hint of each refusal, with the headers of the contract. */
export function hintsOf(
  { webhooks }: Policy,
  { header, eventHeader, prefix }: Signature,
): Array<{ code: string; hint: string }> {
  const parts: Readonly<Record<string, string>> = {
    header: header.toLowerCase(),
    event_header: eventHeader.toLowerCase(),
    prefix,
  }
  return webhooks.failures.map(({ code, hint }) => ({
    code,
    hint: hint.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? ''),
  }))
}

/**
 * The values of a group by their keys, without nulls.
 *
 * @param isValue Whether a language writes an object as one value.
 */
export function leaves(
  group: object,
  isValue: (item: unknown) => boolean = () => false,
  path: readonly string[] = [],
): Leaf[] {
  return Object.entries(group).flatMap(([key, item]): Leaf[] => {
    const at = [...path, key]
    if (item === null) return []
    const isGroup = typeof item === 'object' && !Array.isArray(item) && !isValue(item)
    return isGroup ? leaves(item, isValue, at) : [[at, item]]
  })
}

export function isRange(value: unknown): value is StatusRange {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

/** `webhooks`, `maxBodyBytes` → `WEBHOOKS_MAX_BODY_BYTES`. */
export function constantName(path: readonly string[]): string {
  return path.map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')
}
