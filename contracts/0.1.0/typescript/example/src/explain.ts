import {
  APIError,
  AuthenticationError,
  RateLimitError,
  SupportChatError,
  UnprocessableEntityError,
} from '@support-chat/sdk'

/** Describes a failed call for the log. */
export function explain(error: unknown): string {
  if (error instanceof AuthenticationError) return `Check the API key: ${summary(error)}.`
  if (error instanceof UnprocessableEntityError) return `Check what was sent: ${summary(error)}.`
  if (error instanceof RateLimitError) {
    return `Come back in ${error.retryAfter ?? 60} s: ${summary(error)}.`
  }
  // Quoting the request's id lets the service find it in its logs.
  if (error instanceof APIError) return `${summary(error)}, request ${error.requestId}.`
  // No usable response. `unknown` means that the request may have taken effect.
  if (error instanceof SupportChatError) return `${error.message} (outcome: ${error.outcome})`
  return String(error)
}

function summary({ status, code }: APIError): string {
  return `${status} ${code ?? 'without a code'}`
}
