import type { Socket } from 'node:net'

/** The parser needs 1 to 2 ms for this many bytes of the most expensive input (responses of 18 bytes). */
const pieceBytes = 4096

/**
 * Passes incoming data in small pieces to `onPiece`, which calls `parse` and returns whether to continue. Otherwise
 * Node parses a read of 64 KB to its end even after the request was aborted. Returns a function that undoes this.
 */
export function readInPieces(socket: Socket, onPiece: (piece: Buffer, parse: () => void) => boolean): () => void {
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
