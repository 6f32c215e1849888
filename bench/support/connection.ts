import { once } from 'node:events'
import { connect } from 'node:net'

/** A kept-alive connection for one request at a time. Resolves requests with the status of the response. */
export type Connection = { ask: (...parts: readonly (string | Buffer)[]) => Promise<number>; close: () => void }

const blankLine = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)
const silentMs = 60_000

/** Connects to 127.0.0.1. It parses only the status and the Content-Length, to keep the cost of the generator low. */
export async function openConnection(port: number): Promise<Connection> {
  let asked: PromiseWithResolvers<number> | undefined
  let answer: { status: number; bytesLeft: number } | undefined
  let headSoFar: Buffer = nothing

  const take = (chunk: Buffer): void => {
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
    asked?.resolve(status)
  }

  const callback = (length: number, buffer: Uint8Array) => {
    take(buffer.subarray(0, length) as Buffer)
    return true
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: Buffer.alloc(65_536), callback } })
  await once(socket, 'connect')
  socket.setTimeout(silentMs, () => socket.destroy(new Error('no answer within a minute')))
  socket.on('error', (error) => asked?.reject(error))
  socket.on('close', () => asked?.reject(new Error('the server closed the connection')))

  const ask = (...parts: readonly (string | Buffer)[]): Promise<number> => {
    asked = Promise.withResolvers<number>()
    socket.cork()
    for (const part of parts) socket.write(part)
    socket.uncork()
    return asked.promise
  }
  return { ask, close: () => socket.destroy() }
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
