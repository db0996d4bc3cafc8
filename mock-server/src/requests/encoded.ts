/** Calls as text, for another process. */
import { Problem, type Reason } from '../door/problem.ts'
import { type Call, sentOf } from '../record/exchanges.ts'
import { type Captured, captured } from '../record/har.ts'

interface EncodedBody {
  size: number
  /** Base64. */
  bytes: string
}

export interface EncodedCall {
  started: number
  time: number
  request: Call['request']
  sent: EncodedBody
  response: Pick<Call['response'], 'status' | 'headers' | 'cut'>
  body: EncodedBody
  findings: Omit<Call['findings'], 'read' | 'refusal'>
  refusal: { status: number; code: string; message: string; errors?: Reason[] } | null
}

/** @param hasBodies Whether it also has what was sent and received. */
export function encodedCall(call: Call, hasBodies: boolean): EncodedCall {
  const { started, time, request, response, body, findings } = call
  const { read: _, refusal, ...found } = findings
  const { status, headers, cut } = response
  const encoded = (one: Captured) => ({
    size: one.size,
    bytes: hasBodies ? Buffer.from(one.bytes).toString('base64') : '',
  })
  return {
    started,
    time,
    request,
    sent: encoded(sentOf(call)),
    response: { status, headers, ...(cut && { cut }) },
    body: encoded(typeof body === 'object' && 'bytes' in body ? body : captured(body)),
    findings: found,
    refusal: refusal ? encodedRefusal(refusal) : null,
  }
}

export function decodedCall({ refusal, sent, body, findings, ...call }: EncodedCall): Call {
  return {
    ...call,
    sent: decodedBody(sent),
    body: decodedBody(body),
    findings: { ...findings, ...(refusal && { refusal: decodedRefusal(refusal) }) },
  }
}

function decodedBody({ size, bytes }: EncodedBody): Captured {
  return { size, bytes: Buffer.from(bytes, 'base64') }
}

function encodedRefusal(error: Error): NonNullable<EncodedCall['refusal']> {
  const { message } = error
  const { status = 0, code = '', errors } = error as Partial<Problem>
  return { status, code, message, ...(errors && { errors }) }
}

function decodedRefusal({ status, code, message, errors }: NonNullable<EncodedCall['refusal']>) {
  if (status === 0) return new Error(message)
  return new Problem(status, code, message, errors && { errors })
}
