import { UnresolvedName } from './receiver-address.ts'

/** No complete response has arrived. The message contains no IP address. */
export class PostFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PostFailed'
  }
}

/** The receiver closed an idle connection before it sent a byte of a response. */
export class ClosedWhileIdle extends PostFailed {
  constructor() {
    super(connectionCutMessage)
    this.name = 'ClosedWhileIdle'
  }
}

export const connectionCutMessage = 'The receiver closed the connection before its response was complete.'

const unreachable = 'The receiver is unreachable.'

const failureMessages: Array<[RegExp, string]> = [
  [/^ECONNREFUSED$/, 'The receiver refused the connection.'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/, connectionCutMessage],
  [/^HPE_HEADER_OVERFLOW$/, 'The headers of the response are too long.'],
  [/^HPE_/, 'The response of the receiver is not valid HTTP.'],
  [/^ERR_SOCKET_CONNECTION_TIMEOUT$/, unreachable],
  [
    /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|HOSTNAME_)|CERT/,
    'No secure connection is possible. The certificate or the protocol of the receiver is not accepted.',
  ],
]

/** Returns a PostFailed without IP addresses for a connection failure. Returns any other error unchanged. */
export function toPostFailure(error: NodeJS.ErrnoException): Error {
  if (error instanceof UnresolvedName) return new PostFailed(error.message)
  const code = error.code ?? ''
  const [, known] = failureMessages.find(([pattern]) => pattern.test(code)) ?? []
  // Node combines failures of several addresses in an AggregateError without `syscall`.
  const isConnectionError = error.syscall !== undefined || error instanceof AggregateError
  const text = known ?? (isConnectionError && unreachable)
  return text ? new PostFailed(`${text} (${code})`) : error
}
