import { UnresolvedName } from './receiver-address.ts'

/** No whole answer: not resolved, not connected, not in time, cut off. The message is a sentence that holds no address. */
export class PostFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PostFailed'
  }
}

/** A connection that had rested was closed before it brought a byte of an answer: often it was closed already. */
export class ClosedAtRest extends PostFailed {
  constructor() {
    super(cutOff)
    this.name = 'ClosedAtRest'
  }
}

export const cutOff = 'The receiver cut the connection before its answer was whole.'

const unreachable = 'The receiver cannot be reached.'

const failureTexts: Array<[RegExp, string]> = [
  [/^ECONNREFUSED$/, 'The receiver refuses connections.'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/, cutOff],
  [/^HPE_HEADER_OVERFLOW$/, 'The headers of the answer are too long.'],
  [/^HPE_/, 'The receiver does not answer as a web server does.'],
  [/^ERR_SOCKET_CONNECTION_TIMEOUT$/, unreachable],
  [
    /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|HOSTNAME_)|CERT/,
    'No secure connection can be made: the certificate or the protocol of the receiver is not accepted.',
  ],
]

/** What has gone wrong, without addresses. What is no failure of a connection goes on as it is: it is a defect. */
export function failureOf(error: NodeJS.ErrnoException): Error {
  if (error instanceof UnresolvedName) return new PostFailed(error.message)
  const code = error.code ?? ''
  const [, known] = failureTexts.find(([pattern]) => pattern.test(code)) ?? []
  // The failures of several addresses come as one error, which names no call.
  const isOfConnection = error.syscall !== undefined || error instanceof AggregateError
  const text = known ?? (isOfConnection && unreachable)
  return text ? new PostFailed(`${text} (${code})`) : error
}
