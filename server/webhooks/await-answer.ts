import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ClosedAtRest, cutOff, PostFailed } from './post-failures.ts'
import { readInPieces } from './read-in-pieces.ts'

/** Interim responses (1xx) are ignored. */
const maxHints = 10

/** Limits everything before the end of the response head: interim responses, headers and line breaks. */
const maxHeadBytes = 65_536

/** A body within this limit is read to its end, so that the connection can be used again. */
const maxBodyBytes = 16_384

/**
 * Resolves with the response when its head is complete; a body that is too long ends at the limit. Rejects with
 * ClosedWhileIdle if the same request may succeed over a new connection.
 */
export function awaitAnswer(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const progress: ResponseProgress = { bytes: 0, hints: 0, left: maxHeadBytes, answer: null }
  return new Promise((resolve, reject) => {
    // This listener stays: the connection may fail after the promise has settled.
    request.on('error', (error) => reject(isClosedAtRest(request, progress, error) ? new ClosedAtRest() : error))
    request.on('socket', (socket) => boundWire(request, socket, progress))
    request.on('information', () => {
      progress.hints++
    })
    request.on('response', (answer) => {
      progress.answer = answer
      progress.left = maxBodyBytes
      resolve(answer)
    })
    // If the receiver switches to another protocol, the connection closes without an error.
    request.on('close', () => reject(new PostFailed(cutOff)))
    request.end(body)
  })
}

type ResponseProgress = { bytes: number; hints: number; left: number; answer: IncomingMessage | null }

const isClosedAtRest = (
  request: ClientRequest,
  { bytes }: ResponseProgress,
  { code }: NodeJS.ErrnoException,
): boolean => request.reusedSocket && bytes === 0 && (code === 'ECONNRESET' || code === 'EPIPE')

/** Counts the bytes of the socket, because the parser emits no event for some endless input. */
function boundWire(request: ClientRequest, socket: Socket, progress: ResponseProgress): void {
  const unbind = readInPieces(socket, ({ length }, parse) => {
    if (progress.answer?.complete) {
      // The receiver has sent unrequested data, which must not be taken for the response to the next delivery.
      socket.destroy()
      return false
    }
    progress.bytes += length
    progress.left -= length
    parse()
    if (progress.answer?.complete || (progress.left > 0 && progress.hints <= maxHints)) return true
    if (progress.answer) endHere(progress.answer, socket)
    else request.destroy(new PostFailed('The receiver says more than an answer can hold.'))
    return false
  })
  request.on('close', unbind)
}

/** Treats the part of the response that has arrived as the complete response. */
function endHere(answer: IncomingMessage, socket: Socket): void {
  answer.complete = true
  answer.push(null)
  socket.destroy()
}
