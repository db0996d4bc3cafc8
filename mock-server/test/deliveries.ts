import { createHmac } from 'node:crypto'
import { type Diagnosis, diagnose } from '../src/diagnosis/diagnose.ts'
import type { Header } from '../src/diagnosis/types.ts'

export const SECRET = 'whsec_3hV0c1p2Jt6bqX8d'
export const OTHER_SECRET = 'whsec_7kP4w9s5Ym2rfN0z'

export const EVENT = {
  event: 'conversation.handoff',
  id: 'evt_01J2Z91J4S',
  occurred_at: '2026-03-02T09:21:48Z',
  data: {
    conversation_id: 'conv_01J2Z8M3VN',
    reason: 'Zoë’s <order> & "refund"; né',
    transcript_url: 'http://127.0.0.1:4010/v1/conversations/conv_01J2Z8M3VN',
    tags: [],
    score: 1.5,
  },
}
export const BODY = JSON.stringify(EVENT)

/** Soon after the event. */
export const now = () => Date.parse(EVENT.occurred_at) + 1000

/** Computed independently of the code under test. */
export function hmac(body: string | Buffer, key: string | Buffer = SECRET, hash = 'sha256') {
  return createHmac(hash, key).update(body).digest()
}
export const signature = (body: string | Buffer = BODY, key: string | Buffer = SECRET) =>
  `sha256=${hmac(body, key).toString('hex')}`

export const headersOf = (value: string, event: string = EVENT.event): Header[] => [
  ['X-Service-Signature', ` ${value}`],
  ['X-Service-Event', ` ${event}`],
]

export interface Sent {
  /** The received body. @default the signed body */
  body?: string | Buffer
  headers?: Header[]
  /** The secrets of the receiver. */
  secrets?: string[]
  tolerance?: number
}

/** Diagnoses a delivery that is correct except for the given parts. Secrets are named `SECRET_1` and so on. */
export function diagnosed({ body = BODY, headers, secrets = [SECRET], tolerance }: Sent) {
  return diagnose({
    delivery: { body: Buffer.from(body), headers: headers ?? headersOf(signature()) },
    secrets: secrets.map((value, index) => ({ name: `SECRET_${index + 1}`, value })),
    tolerance,
    now,
  })
}

export const names = ({ findings }: Diagnosis) => findings.map(({ name }) => name)
