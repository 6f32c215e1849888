import type { Socket } from 'node:net'

/** Of the costliest flood (answers of 18 bytes each) the parser takes a millisecond or two for so much. */
const pieceBytes = 4096

/**
 * Hands on what a connection brings in small pieces, each by way of `take`, which has it parsed by `parse` and says
 * whether the next may follow; if not, all that follows is thrown away. Node parses reads of 64 KB to their end, even
 * where the request has been given up on the way. Returns what undoes it.
 */
export function readInPieces(socket: Socket, take: (piece: Buffer, parse: () => void) => boolean): () => void {
  const { push } = socket
  let isOver = false
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) return push.call(socket, null)
    let wantsMore = true
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes)
      const parse = () => {
        wantsMore = push.call(socket, piece)
      }
      isOver ||= socket.destroyed || !take(piece, parse)
      if (isOver) return false
    }
    return wantsMore
  }
  return () => {
    socket.push = push
  }
}
