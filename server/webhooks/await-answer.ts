import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ClosedAtRest, cutOff, PostFailed } from './post-failures.ts'
import { readInPieces } from './read-in-pieces.ts'

/** What comes before an answer (1xx) says nothing to us; no web server needs so many of them. */
const maxHints = 10

/** So much is taken in until the head of the answer is whole, in whatever form: hints, headers, line breaks. */
const maxHeadBytes = 65_536

/** And so much after it, that the connection may serve the next delivery; a longer answer costs the connection. */
const maxBodyBytes = 16_384

/**
 * Ends the request with its body, and waits for the head of the answer, whose body ends where it becomes too long.
 * Rejects with ClosedAtRest where the same request may succeed over a new connection.
 */
export function awaitAnswer(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const heard: Heard = { bytes: 0, hints: 0, left: maxHeadBytes, answer: null }
  return new Promise((resolve, reject) => {
    // It stays for what becomes of the connection later.
    request.on('error', (error) => reject(isClosedAtRest(request, heard, error) ? new ClosedAtRest() : error))
    request.on('socket', (socket) => boundWire(request, socket, heard))
    request.on('information', () => {
      heard.hints++
    })
    request.on('response', (answer) => {
      heard.answer = answer
      heard.left = maxBodyBytes
      resolve(answer)
    })
    // The end of the connection comes without an error where the receiver has switched to another protocol.
    request.on('close', () => reject(new PostFailed(cutOff)))
    request.end(body)
  })
}

type Heard = { bytes: number; hints: number; left: number; answer: IncomingMessage | null }

const isClosedAtRest = (request: ClientRequest, { bytes }: Heard, { code }: NodeJS.ErrnoException): boolean =>
  request.reusedSocket && bytes === 0 && (code === 'ECONNRESET' || code === 'EPIPE')

/** Counts bytes as they come from the connection, since floods can be made of what the parser tells nobody. */
function boundWire(request: ClientRequest, socket: Socket, heard: Heard): void {
  const unbind = readInPieces(socket, ({ length }, parse) => {
    if (heard.answer?.complete) {
      // Said unasked: it must not be taken for the answer to the next delivery.
      socket.destroy()
      return false
    }
    heard.bytes += length
    heard.left -= length
    parse()
    if (heard.answer?.complete || (heard.left > 0 && heard.hints <= maxHints)) return true
    if (heard.answer) endHere(heard.answer, socket)
    else request.destroy(new PostFailed('The receiver says more than an answer can hold.'))
    return false
  })
  request.on('close', unbind)
}

/** What has been taken of the answer is all of it, whatever becomes of the connection. */
function endHere(answer: IncomingMessage, socket: Socket): void {
  answer.complete = true
  answer.push(null)
  socket.destroy()
}
