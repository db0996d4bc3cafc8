/** The ids of deliveries, as the API shows them. */
const PREFIX = 'dlv_'

export function idOf(number: number): string {
  return `${PREFIX}${number}`
}

/** @returns 0, which no delivery has, for what is no id of one. */
export function numberOf(id: string): number {
  return Number(/^dlv_(\d{1,15})$/.exec(id)?.[1] ?? 0)
}
