import { once } from 'node:events'
import { connect } from 'node:net'

/** A kept-alive connection for one request at a time. `sendRequest` resolves with the status of the response. */
export type Connection = { sendRequest: (...parts: readonly (string | Buffer)[]) => Promise<number>; close: () => void }

const blankLine = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)
const responseTimeoutMs = 60_000

/**
 * Connects to 127.0.0.1. The connection parses only the status and the Content-Length, to keep the cost of the load
 * generator low.
 */
export async function openConnection(port: number): Promise<Connection> {
  let pending: PromiseWithResolvers<number> | undefined
  let answer: { status: number; bytesLeft: number } | undefined
  let headSoFar: Buffer = nothing

  const handleChunk = (chunk: Buffer): void => {
    if (answer === undefined) {
      const bytes = headSoFar.length === 0 ? chunk : Buffer.concat([headSoFar, chunk])
      const end = bytes.indexOf(blankLine)
      headSoFar = end === -1 ? Buffer.from(bytes) : nothing
      if (end === -1) return
      answer = readHead(bytes.toString('latin1', 0, end))
      answer.bytesLeft -= bytes.length - end - blankLine.length
    } else answer.bytesLeft -= chunk.length
    if (answer.bytesLeft > 0) return
    if (answer.bytesLeft < 0) throw new Error('an answer is longer than it says')
    const { status } = answer
    answer = undefined
    pending?.resolve(status)
  }

  const callback = (length: number, buffer: Uint8Array) => {
    handleChunk(buffer.subarray(0, length) as Buffer)
    return true
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: Buffer.alloc(65_536), callback } })
  await once(socket, 'connect')
  socket.setTimeout(responseTimeoutMs, () => socket.destroy(new Error('no answer within a minute')))
  socket.on('error', (error) => pending?.reject(error))
  socket.on('close', () => pending?.reject(new Error('the server closed the connection')))

  const sendRequest = (...parts: readonly (string | Buffer)[]): Promise<number> => {
    pending = Promise.withResolvers<number>()
    socket.cork()
    for (const part of parts) socket.write(part)
    socket.uncork()
    return pending.promise
  }
  return { sendRequest, close: () => socket.destroy() }
}

export function openConnections(port: number, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(port)))
}

function readHead(head: string): { status: number; bytesLeft: number } {
  const status = Number(head.slice(9, 12))
  if (status === 304) return { status, bytesLeft: 0 }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`)
  return { status, bytesLeft: Number(length) }
}
