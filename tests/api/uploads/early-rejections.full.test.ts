import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { end, part, photoHeaders, uploadHead } from '../../support/clients/multipart.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { openSocket, readRawResponse } from '../../support/clients/raw-http.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpegOfSize } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
let event: TestEvent
let before: Awaited<ReturnType<typeof storedState>>
beforeAll(async () => {
  event = await createEvent(service.api)
})
beforeEach(async () => {
  before = await storedState(service)
})
afterEach(async () => {
  expect(await storedState(service)).toEqual(before)
})

const textPartHeaders = photoHeaders.replace('image/jpeg', 'text/plain')

const createBody = (megabytes: number, headers = photoHeaders) =>
  Buffer.concat([part(headers, Buffer.alloc(megabytes * 2 ** 20, 1)), end])

const appErrors: Array<[string, number, Record<string, string>, string?]> = [
  ['without a credential', 401, { authorization: '' }],
  ['of text', 415, {}, textPartHeaders],
]

describe.each(appErrors)('an upload %s', (_name, status, headers, partHeaders) => {
  // The larger size exceeds the socket buffers. One kind of rejection is enough for that size.
  const sizes = partHeaders ? [5, 40] : [5]
  test.each(sizes)('of %i MB: a client that reads while it sends gets the response', async (megabytes) => {
    const body = createBody(megabytes, partHeaders)
    const socket = openSocket(service.url)
    const pendingResponse = readRawResponse(socket)
    socket.write(uploadHead(service, event.id, { 'content-length': String(body.length), ...headers }))
    socket.write(body)
    const answer = await pendingResponse
    socket.destroy()
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ error: expect.any(String), code: expect.any(String) })
  })

  test('of 15 MB: a client that sends everything before it reads gets the response', async () => {
    const body = createBody(15, partHeaders)
    const socket = openSocket(service.url)
    socket.pause()
    socket.write(uploadHead(service, event.id, { 'content-length': String(body.length), ...headers }))
    await new Promise((resolve) => socket.write(body, resolve))
    const pendingResponse = readRawResponse(socket)
    socket.resume()
    expect((await pendingResponse).status).toBe(status)
    socket.destroy()
  })
})

test('a file that exceeds the limit on the way returns 413 to the client at once', async () => {
  await service.admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
  const answer = await service.api.upload(event.id, await jpegOfSize(40 * 2 ** 20))
  expectProblem(answer, 413, 'FILE_TOO_LARGE')
})

test('an early rejection reaches a client that sends `connection: close`', async () => {
  const body = createBody(12)
  const socket = openSocket(service.url)
  socket.pause()
  const closingHeaders = { 'content-length': String(body.length), authorization: '', connection: 'close' }
  socket.write(uploadHead(service, event.id, closingHeaders))
  await new Promise((resolve) => socket.write(body, resolve))
  const pendingResponse = readRawResponse(socket)
  socket.resume()
  expect((await pendingResponse).status).toBe(401)
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
})

test('after an early rejection with little unread data, the connection serves the next request', async () => {
  const body = createBody(1)
  const socket = openSocket(service.url)
  const first = readRawResponse(socket)
  socket.write(uploadHead(service, event.id, { 'content-length': String(body.length), authorization: '' }))
  socket.write(body)
  expect((await first).status).toBe(401)
  const second = readRawResponse(socket)
  socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect((await second).status).toBe(200)
})

test('a rejection with more than 16 MB of unread data closes the connection', async () => {
  const socket = openSocket(service.url)
  const pendingResponse = readRawResponse(socket)
  socket.write(uploadHead(service, event.id, { 'content-length': String(2 ** 40), authorization: '' }))
  const sending = setInterval(() => socket.write(Buffer.alloc(2 ** 20)), 1)
  expect((await pendingResponse).status).toBe(401)
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(sending)
  expect(socket.bytesWritten).toBeLessThan(200 * 2 ** 20)
})
