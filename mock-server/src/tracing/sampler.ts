/** Which traces are kept, by the names of the specification of OpenTelemetry. */
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

const ROOTS: Readonly<Record<string, (share: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
}
const PARENT_BASED = 'parentbased_'
const DEFAULT = 'parentbased_always_on'

export interface SamplerSetting {
  /** The value of OTEL_TRACES_SAMPLER. @default parentbased_always_on */
  sampler?: string | undefined
  /** The value of OTEL_TRACES_SAMPLER_ARG: from 0 to 1. @default 1 */
  argument?: string | undefined
  onWarning: (message: string) => void
}

/** A name or a share that cannot be used is ignored, as the specification says. */
export function samplerOf({ sampler = DEFAULT, argument, onWarning }: SamplerSetting): Sampler {
  const isParentBased = sampler.startsWith(PARENT_BASED)
  const name = isParentBased ? sampler.slice(PARENT_BASED.length) : sampler
  if (!Object.hasOwn(ROOTS, name)) {
    onWarning(`OTEL_TRACES_SAMPLER is no sampler that is known here. ${DEFAULT} is used.`)
    return samplerOf({ onWarning })
  }
  const root = ROOTS[name]?.(shareOf(argument, onWarning)) ?? new AlwaysOnSampler()
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function shareOf(text: string | undefined, onWarning: (message: string) => void): number {
  if (text === undefined) return 1
  const share = Number(text)
  if (share >= 0 && share <= 1) return share
  onWarning('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1. All traces are kept.')
  return 1
}
