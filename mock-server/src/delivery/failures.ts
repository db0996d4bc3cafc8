/** Why a connection failed, in words, by the codes of Node.js and undici. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address',
  ECONNRESET: 'the other side reset the connection',
  EPIPE: 'the other side closed the connection while it was sent to',
  UND_ERR_SOCKET: 'the other side closed the connection before the response',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too long',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no response in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate in the chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is from an unknown authority',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the other side does not speak TLS',
  EPROTO: 'the other side does not speak TLS',
}

/** The reason in words, with the code for those who search for it. */
export function inWords({ code, message }: { code?: string | undefined; message: string }): string {
  if (code === undefined) return message
  const known = code.startsWith('HPE_') ? 'the response is not HTTP' : WORDS[code]
  return known === undefined ? code : `${known} (${code})`
}
