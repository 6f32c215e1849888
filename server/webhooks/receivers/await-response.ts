import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ClosedWhileIdle, connectionCutMessage, PostFailed } from './post-failures.ts'

/** At most this many interim responses (1xx) are ignored; one more fails the attempt. */
const maxInterimResponses = 10

/** Limits everything before the end of the response head: interim responses, headers and line breaks. */
const maxHeadBytes = 65_536

/** A body within this limit is read to its end, so that the connection can be used again. */
const maxBodyBytes = 16_384

/**
 * Resolves when the head of the response is complete. A body that is too long ends at the limit. Rejects with
 * ClosedWhileIdle if the same request may succeed over a new connection.
 */
export function awaitResponse(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const progress: ResponseProgress = { bytes: 0, interimResponses: 0, remainingBytes: maxHeadBytes, response: null }
  return new Promise((resolve, reject) => {
    // The listener is never removed, because the connection may fail after the promise has settled.
    request.on('error', (error) => reject(isClosedWhileIdle(request, progress, error) ? new ClosedWhileIdle() : error))
    request.on('socket', (socket) => limitResponseBytes(request, socket, progress))
    request.on('information', () => {
      progress.interimResponses++
    })
    request.on('response', (response) => {
      progress.response = response
      progress.remainingBytes = maxBodyBytes
      resolve(response)
    })
    // If the receiver switches to another protocol, the connection closes without an error.
    request.on('close', () => {
      if (!progress.response) reject(new PostFailed(connectionCutMessage))
    })
    request.end(body)
  })
}

type ResponseProgress = {
  bytes: number
  interimResponses: number
  remainingBytes: number
  response: IncomingMessage | null
}

const isClosedWhileIdle = (request: ClientRequest, { bytes }: ResponseProgress, { code }: NodeJS.ErrnoException) =>
  request.reusedSocket && bytes === 0 && (code === 'ECONNRESET' || code === 'EPIPE')

/** Counts the bytes of the socket, because the parser emits no event for some endless input. */
function limitResponseBytes(request: ClientRequest, socket: Socket, progress: ResponseProgress): void {
  const unbind = readInPieces(socket, ({ length }, parse) => {
    if (progress.response?.complete) {
      // The receiver has sent unrequested data, which must not be taken for the response to the next delivery.
      socket.destroy()
      return false
    }
    progress.bytes += length
    progress.remainingBytes -= length
    parse()
    if (
      progress.response?.complete ||
      (progress.remainingBytes > 0 && progress.interimResponses <= maxInterimResponses)
    )
      return true
    if (progress.response) completeResponse(progress.response, socket)
    else request.destroy(new PostFailed('The response of the receiver is too long.'))
    return false
  })
  request.on('close', unbind)
}

/** Treats the part of the response that has arrived as the complete response. */
function completeResponse(response: IncomingMessage, socket: Socket): void {
  response.complete = true
  response.push(null)
  socket.destroy()
}

/** The parser needs 1 to 2 ms for this many bytes of the most expensive input (many responses of 18 bytes each). */
const pieceBytes = 4096

/**
 * Passes incoming data in small pieces to `onPiece`, which calls `parse` and returns whether to continue. Node alone
 * would parse 64 KB to the end even after an abort. Returns a function that restores the socket.
 */
function readInPieces(socket: Socket, onPiece: (piece: Buffer, parse: () => void) => boolean): () => void {
  const { push } = socket
  let isStopped = false
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) return push.call(socket, null)
    let wantsMore = true
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes)
      const parse = () => {
        wantsMore = push.call(socket, piece)
      }
      isStopped ||= socket.destroyed || !onPiece(piece, parse)
      if (isStopped) return false
    }
    return wantsMore
  }
  return () => {
    socket.push = push
  }
}
