import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteReader } from '../storage/storage.ts'

const maxBufferBytes = 256 * 1024

/**
 * Sends `sizeBytes` of `reader` as the body, without a Node.js stream: two buffers alternate, so that gigabytes need no
 * new memory. Cuts the connection when the reader fails or gives another number of bytes.
 */
export async function sendReader(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: ByteReader,
  sizeBytes: number,
): Promise<void> {
  reply.hijack()
  const response = reply.raw
  const { socket } = request.raw
  let stopWaiting = () => {}
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve) => {
      stopWaiting = resolve
      response.write(bytes, () => resolve())
    })
  // While an earlier pipelined response is sent, this response has no socket, so the socket of the request is watched.
  const onClientGone = () => {
    reader.close().catch((err) => request.log.warn({ err }, 'Could not close a file'))
    stopWaiting()
  }
  socket.once('close', onClientGone)

  try {
    response.strictContentLength = true
    response.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    const bufferBytes = Math.min(sizeBytes, maxBufferBytes)
    let [next, other] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)]
    let writing = Promise.resolve()
    while (!socket.destroyed) {
      const length = await reader.read(next)
      await writing
      if (length === 0) return void response.end()
      writing = write(next.subarray(0, length))
      ;[next, other] = [other, next]
    }
  } catch (error) {
    if (!socket.destroyed) request.log.warn({ err: error }, 'A download was interrupted')
    response.destroy()
  } finally {
    socket.off('close', onClientGone)
    await reader.close()
  }
}
