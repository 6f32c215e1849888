import { beforeAll, expect, test } from 'vitest'
import { end, formHead, part } from '../../support/clients/multipart.ts'
import { openSocket, readRawResponse } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const megabyte = 2 ** 20
const service = await serviceForFile()
let event: TestEvent
let guest: TestClient
beforeAll(async () => {
  await service.admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
  const { body: categories } = await service.admin.get('/api/admin/categories/global')
  event = await createEvent(service.api, { allow_user_uploads: true, upload_category_id: categories[0].id })
  guest = await enterAsGuest(service, event)
})

/** The beginning of a part without its end. */
const open = (headers: string) => part(headers, '').subarray(0, -2)
const file = (name: string, type: string) =>
  `Content-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: ${type}`

const beginnings: Record<string, () => Promise<Buffer> | Buffer> = {
  'a photo': () => open(file('photos', 'image/jpeg')),
  'a file of another type': () => open(file('photos', 'text/plain')),
  'a file in another field': () => open(file('others', 'image/jpeg')),
  'a text': () => open('Content-Disposition: form-data; name="category_id"'),
  'a part without a name': () => open('Content-Type: image/jpeg'),
  'bytes before the first part': () => Buffer.from('no part'),
  'bytes after the last part': async () => Buffer.concat([part(file('photos', 'image/jpeg'), await jpeg()), end]),
}

test.each(Object.entries(beginnings))('a form of a guest that never ends in %s gets 413', async (_name, begin) => {
  const { answer, sentBytes } = await sendForever(await begin())
  expect(answer.status).toBe(413)
  expect(JSON.parse(answer.body)).toEqual({
    error: 'File too large. Maximum size is 1 MB per file.',
    code: 'FILE_TOO_LARGE',
  })
  // 1 MB and 16 MB until the answer, up to 16 MB so that the client can read it, and what is in buffers.
  expect(sentBytes).toBeLessThan(64 * megabyte)
})

test('files that are too large are skipped while the form has less than 16 MB of them', async () => {
  const files = [await jpeg(), Buffer.alloc(5 * megabyte), Buffer.alloc(5 * megabyte), await jpeg({ seed: 2 })]
  const body = Buffer.concat([...files.map((bytes) => part(file('photos', 'image/jpeg'), bytes)), end])
  const socket = openSocket(service.url)
  const answered = readRawResponse(socket)
  socket.write(formHead(`/api/gallery/${event.slug}/upload`, guest.token, { 'content-length': String(body.length) }))
  socket.write(body)
  const answer = await answered
  socket.destroy()
  expect(answer.status).toBe(207)
  const { photos, failed } = JSON.parse(answer.body)
  expect(photos).toHaveLength(2)
  expect(failed.map(({ code }: { code: string }) => code)).toEqual(['FILE_TOO_LARGE', 'FILE_TOO_LARGE'])
})

/** Sends a form without `Content-Length` until the service answers or closes the connection, 256 MB at most. */
async function sendForever(beginning: Buffer) {
  const socket = openSocket(service.url)
  const answered = readRawResponse(socket)
  const writeChunk = (bytes: Buffer) => {
    socket.write(`${bytes.length.toString(16)}\r\n`)
    socket.write(bytes)
    return new Promise((resolve) => socket.write('\r\n', resolve))
  }
  socket.write(formHead(`/api/gallery/${event.slug}/upload`, guest.token, { 'transfer-encoding': 'chunked' }))
  await writeChunk(beginning)
  const bytes = Buffer.alloc(megabyte, 1)
  while (socket.writable && socket.bytesWritten < 256 * megabyte) await writeChunk(bytes)
  socket.destroy()
  return { answer: await answered, sentBytes: socket.bytesWritten }
}
