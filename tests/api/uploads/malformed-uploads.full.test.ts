import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { end, part, photoHeaders, uploadHead } from '../../support/clients/multipart.ts'
import { openSocket, readRawResponse, sendRaw } from '../../support/clients/raw-http.ts'
import { waitUntilRead, watchRequest } from '../../support/clients/watch-request.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg, jpegOfSize } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
let event: TestEvent
let image: Buffer
let before: Awaited<ReturnType<typeof storedState>>
beforeAll(async () => {
  event = await createEvent(service.api)
  await uploadPhotos(service.api, event.id, 1)
  image = await jpeg()
})
beforeEach(async () => {
  before = await storedState(service)
})

/** After each test nothing of its upload is left, and the service still accepts photos. */
afterEach(async () => {
  await vi.waitFor(async () => expect(await storedState(service)).toEqual(before), 60_000)
  const next = await service.api.upload(event.id, await jpeg())
  expect(next.status).toBe(201)
})

async function send(body: Uint8Array, headers: Record<string, string> = {}) {
  const head = uploadHead(service, event.id, { 'content-length': String(body.length), ...headers })
  return sendRaw(service.url, head, body)
}

const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)
const photo = () => part(photoHeaders, image)

describe('a malformed multipart body is 400', () => {
  const bodies: Record<string, () => Uint8Array> = {
    'no end': () => photo(),
    'cut inside the file': () => photo().subarray(0, 300),
    'cut inside the headers of a part': () => photo().subarray(0, 60),
    'another boundary': () => Buffer.from('--something-else\r\n\r\nx\r\n--something-else--\r\n'),
    'no part': () => end,
    'nothing but noise': () => Buffer.alloc(5_000, 'noise '),
    'no body': () => Buffer.alloc(0),
    'a part without headers': () => Buffer.concat([part('', 'x'), end]),
    'a field without a name': () => Buffer.concat([part('Content-Disposition: form-data', 'x'), end]),
    'a huge field without a name': () => Buffer.concat([part('Content-Disposition: form-data', 'x'.repeat(1e5)), end]),
    'endless headers of a part': () => Buffer.concat([part(`X: ${'x'.repeat(2e5)}\r\n${photoHeaders}`, 'x'), end]),
    'a file without a name': () =>
      Buffer.concat([part('Content-Disposition: form-data; filename="a.jpg"\r\nContent-Type: image/jpeg', image), end]),
    'a file under another name, cut': () =>
      part('Content-Disposition: form-data; name="file"; filename="a.jpg"', image).subarray(0, 200),
    'a huge field': () => Buffer.concat([field('category_id', '1'.repeat(1e6)), photo(), end]),
    'a huge field behind the file': () => Buffer.concat([photo(), field('category_id', '1'.repeat(1e6)), end]),
    'a thousand fields before the file': () =>
      Buffer.concat([...Array.from({ length: 1000 }, (_, index) => field(`f${index}`, 'x')), photo(), end]),
    'a number sent as a file': () =>
      Buffer.concat([
        part('Content-Disposition: form-data; name="replaces_photo_id"; filename="id"', '1'),
        photo(),
        end,
      ]),
    'a number sent as bytes': () =>
      Buffer.concat([
        part('Content-Disposition: form-data; name="category_id"\r\nContent-Type: application/octet-stream', '1'),
        photo(),
        end,
      ]),
    'two files and then a cut': () => Buffer.concat([photo(), photo()]),
    'a hundred files': () => Buffer.concat([...Array.from({ length: 100 }, photo), end]),
  }
  test('of any kind', async () => {
    for (const [name, formOf] of Object.entries(bodies)) {
      const { status, headers, body } = await send(formOf())
      expect(status, name).toBe(400)
      expect(headers).toMatch(/^x-request-id: \S+/im)
      expect(JSON.parse(body), name).toMatchObject({ code: 'VALIDATION_ERROR', error: expect.any(String) })
      await vi.waitFor(async () => expect(await storedState(service), name).toEqual(before), 60_000)
    }
  })

  test('without a boundary, or of another type', async () => {
    const body = Buffer.concat([photo(), end])
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=""']) {
      expect((await send(body, { 'content-type': type })).status).toBe(400)
    }
    expect((await send(Buffer.from('{}'), { 'content-type': 'application/json' })).status).toBe(400)
    for (const type of ['image/jpeg', 'application/x-www-form-urlencoded']) {
      expect((await send(image, { 'content-type': type })).status, type).toBe(415)
    }
  })
})

describe('a broken connection', () => {
  test('at any place leaves nothing', async () => {
    const large = Buffer.concat([part(photoHeaders, await jpegOfSize(2_000_000)), end])
    const small = Buffer.concat([photo(), end])
    const cuts: Array<[body: Buffer, sentBytes: number]> = [
      [large, 1_000_000],
      [small, 200],
      // After the last byte of the file but before the end of the form.
      [small, small.length - end.length],
    ]
    for (const [body, sentBytes] of cuts) {
      const { begun } = watchRequest(`/api/v1/events/${event.id}/photos`)
      const socket = openSocket(service.url)
      socket.write(uploadHead(service, event.id, { 'content-length': String(body.length) }))
      socket.write(body.subarray(0, sentBytes))
      await waitUntilRead(begun, sentBytes)
      socket.destroy()
      await vi.waitFor(async () => expect(await storedState(service)).toEqual(before), 60_000)
    }
  })

  test('half closed in the middle', async () => {
    const body = Buffer.concat([photo(), end])
    const socket = openSocket(service.url)
    const answered = readRawResponse(socket)
    socket.write(uploadHead(service, event.id, { 'content-length': String(body.length) }))
    socket.end(body.subarray(0, 100))
    expect((await answered).status).toBe(400)
  })

  test('a Content-Length that is wrong or no number is 400', async () => {
    for (const length of ['200', '-1', '1e3', '99999999999999999999']) {
      const { status } = await send(Buffer.concat([photo(), end]), { 'content-length': length })
      expect(status, length).toBe(400)
    }
  })

  test('a chunked body that is cut or has invalid chunks', async () => {
    const head = uploadHead(service, event.id, { 'transfer-encoding': 'chunked' })
    const chunk = (bytes: Uint8Array) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes])
    expect((await sendRaw(service.url, head, chunk(photo()), '\r\nnonsense\r\n')).status).toBe(400)
    expect((await sendRaw(service.url, head, chunk(photo()), '\r\n0\r\n\r\n')).status).toBe(400)
  })
})

test('twenty clients that disconnect at once leave nothing', async () => {
  const body = Buffer.concat([part(photoHeaders, await jpegOfSize(500_000)), end])
  const sockets = Array.from({ length: 20 }, () => openSocket(service.url))
  for (const socket of sockets) {
    const { begun } = watchRequest(`/api/v1/events/${event.id}/photos`)
    socket.write(uploadHead(service, event.id, { 'content-length': String(body.length) }))
    socket.write(body.subarray(0, 300_000))
    await waitUntilRead(begun, 300_000)
  }
  for (const socket of sockets) socket.destroy()
})

test('an announced length above the limit is rejected as too large before a byte is stored', async () => {
  const event = await createEvent(service.api)
  const answer = await sendRaw(
    service.url,
    `POST /api/v1/events/${event.id}/photos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.api.token}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999999999\r\n\r\n--b\r\n',
  )
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, 'FILE_TOO_LARGE'])
})
