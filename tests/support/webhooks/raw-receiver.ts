import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { certificate, certificateKey } from '../network/tls-certificate.ts'

/** Responds to a complete request. `count` is the number of the request on its connection, from 1. */
export type RawResponder = (socket: Socket, request: string, count: number) => void

export type RawReceiver = {
  port: number
  requests: string[]
  /** The local address of each connection. */
  connectedAt: string[]
  /** The TLS server name (SNI) of each secure connection. */
  serverNames: string[]
}

export const respondWithLines =
  (...lines: string[]): RawResponder =>
  (socket) => {
    socket.write(lines.join('\r\n'))
  }

/** Reads requests with a Content-Length and responds with any bytes. Closes when the test ends. */
export async function rawReceiverForTest(response: RawResponder, { isSecure = false } = {}): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  const receiver: RawReceiver = { port: 0, requests: [], connectedAt: [], serverNames: [] }

  function serve(socket: Socket): void {
    let unread = ''
    let count = 0
    socket.on('data', (chunk: Buffer) => {
      unread += chunk.toString('latin1')
      const end = unread.indexOf('\r\n\r\n') + 4
      const length = Number(/^content-length: (\d+)/im.exec(unread)?.[1] ?? 0)
      if (end < 4 || unread.length < end + length) return
      const request = unread.slice(0, end + length)
      unread = unread.slice(end + length)
      receiver.requests.push(request)
      response(socket, request, ++count)
    })
  }

  const server = isSecure
    ? createTlsServer({ key: certificateKey, cert: certificate }, (socket) => {
        receiver.serverNames.push(String(socket.servername))
        serve(socket)
      })
    : createServer(serve)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    // A client that disconnects must not fail the test.
    socket.on('error', () => {})
    receiver.connectedAt.push(socket.localAddress ?? '')
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '0.0.0.0', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  receiver.port = (server.address() as AddressInfo).port
  return receiver
}
