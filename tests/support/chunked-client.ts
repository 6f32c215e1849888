import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, createClient } from './test-client.ts'

export type ChunkAnswer = { status: number; body: Answer['body'] }

/** How a chunk is sent: with pauses, with or without a Content-Length, or cut off after some bytes. */
export type Sending = { pauseMs?: number; isDeclared?: boolean; cutAtBytes?: number }

export type ChunkedSession = ReturnType<typeof chunkedSession>

const pieceBytes = 2 ** 20

/** A chunked upload. `service` is called for each request, because the service can restart at another address. */
export function chunkedSession(service: () => { url: string; token: string }, eventId: number, uploadId: string) {
  const path = `/api/admin/photos/${eventId}/chunked-upload/${uploadId}`
  const client = () => createClient(service().url, service().token)
  return {
    path,
    status: () => client().get(`${path}/status`),
    abort: () => client().delete(path),
    complete: (body: object = { category_id: null }) => client().post(`${path}/complete`, body),
    /** Returns null when the connection ends without a response. */
    send: (index: number, bytes: Buffer, sending: Sending = {}) =>
      sendChunk(`${service().url}${path}/chunk/${index}`, service().token, bytes, sending),
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
  return chunkedSession(service, eventId, body.uploadId)
}

function sendChunk(url: string, token: string, bytes: Buffer, sending: Sending): Promise<ChunkAnswer | null> {
  const { pauseMs = 0, isDeclared = true, cutAtBytes } = sending
  const length = isDeclared ? { 'content-length': String(bytes.length) } : {}
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...length }
  const { promise, resolve } = Promise.withResolvers<ChunkAnswer | null>()
  const sent = request(url, { method: 'POST', headers, agent: false })
  let isAnswered = false
  sent.on('response', async (answer) => {
    isAnswered = true
    const text = Buffer.concat(await answer.toArray().catch(() => [])).toString()
    resolve(answer.complete ? { status: answer.statusCode ?? 0, body: JSON.parse(text) } : null)
  })
  // An error after an early response does not matter.
  sent.on('error', () => isAnswered || resolve(null))
  sent.on('close', () => isAnswered || resolve(null))
  const goesOut = async () => {
    const end = cutAtBytes ?? bytes.length
    for (let at = 0; at < end && !sent.destroyed; at += pieceBytes) {
      await new Promise((written) => sent.write(bytes.subarray(at, Math.min(end, at + pieceBytes)), written))
      // Simulates a slow client.
      if (pauseMs > 0) await sleep(pauseMs)
    }
    if (cutAtBytes === undefined) sent.end()
    else sent.destroy()
  }
  void goesOut()
  return promise
}
