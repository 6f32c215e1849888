import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type TestResponse } from '../clients/test-client.ts'

export type ChunkResponse = { status: number; body: TestResponse['body'] }

/** How a chunk is sent: with pauses, with or without a Content-Length, or cut off after some bytes. */
export type ChunkSendOptions = { pauseMs?: number; hasContentLength?: boolean; cutAtBytes?: number }

export type ChunkedSession = ReturnType<typeof createChunkedSession>

const pieceBytes = 2 ** 20

/** A chunked upload. `service` is called for each request, because the service can restart at another address. */
export function createChunkedSession(service: () => { url: string; token: string }, eventId: number, uploadId: string) {
  const path = `/api/admin/photos/${eventId}/chunked-upload/${uploadId}`
  const client = () => createClient(service().url, service().token)
  return {
    path,
    status: () => client().get(`${path}/status`),
    abort: () => client().delete(path),
    complete: (body: object = { category_id: null }) => client().post(`${path}/complete`, body),
    /** Returns null when the connection ends without a complete response. */
    send: (index: number, bytes: Buffer, options: ChunkSendOptions = {}) =>
      sendChunk(`${service().url}${path}/chunk/${index}`, service().token, bytes, options),
  }
}

export async function openSession(
  service: () => { url: string; token: string },
  eventId: number,
  fileSize: number,
  filename = 'large.jpg',
): Promise<ChunkedSession> {
  const { url, token } = service()
  const path = `/api/admin/photos/${eventId}/chunked-upload/init`
  const { status, body } = await createClient(url, token).post(path, { filename, fileSize })
  if (status !== 200) throw new Error(`The session was not opened: ${JSON.stringify(body)}`)
  return createChunkedSession(service, eventId, body.uploadId)
}

function sendChunk(
  url: string,
  token: string,
  bytes: Buffer,
  options: ChunkSendOptions,
): Promise<ChunkResponse | null> {
  const { pauseMs = 0, hasContentLength = true, cutAtBytes } = options
  const length = hasContentLength ? { 'content-length': String(bytes.length) } : {}
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...length }
  const { promise, resolve } = Promise.withResolvers<ChunkResponse | null>()
  const sent = request(url, { method: 'POST', headers, agent: false })
  let hasResponse = false
  sent.on('response', async (response) => {
    hasResponse = true
    const text = Buffer.concat(await response.toArray().catch(() => [])).toString()
    resolve(response.complete ? { status: response.statusCode ?? 0, body: JSON.parse(text) } : null)
  })
  // An error after an early response does not matter.
  sent.on('error', () => hasResponse || resolve(null))
  sent.on('close', () => hasResponse || resolve(null))
  const writeBody = async () => {
    const end = cutAtBytes ?? bytes.length
    for (let at = 0; at < end && !sent.destroyed; at += pieceBytes) {
      await new Promise((written) => sent.write(bytes.subarray(at, Math.min(end, at + pieceBytes)), written))
      // Simulates a slow client.
      if (pauseMs > 0) await sleep(pauseMs)
    }
    if (cutAtBytes === undefined) sent.end()
    else sent.destroy()
  }
  void writeBody()
  return promise
}
