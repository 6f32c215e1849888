import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../configuration/config.ts'
import { createBytesReader } from '../storage/byte-readers.ts'
import type { ByteReader } from '../storage/storage.ts'
import { createHttp } from './create-http.ts'
import { type FileToSend, sendFile } from './send-file.ts'

const sizeBytes = 3_000_001
const bytes = Buffer.from(Array.from({ length: sizeBytes }, (_, index) => (index * 31) % 251))

function watched(overrides: Partial<ByteReader> = {}) {
  const reader = createBytesReader(bytes, { start: 0, end: sizeBytes - 1 })
  const log = { closed: 0, bytesRead: 0 }
  const watchedReader: ByteReader = {
    async read(buffer) {
      const length = await (overrides.read ?? reader.read)(buffer)
      log.bytesRead += length
      return length
    },
    close: async () => {
      log.closed++
    },
  }
  return { log, reader: watchedReader }
}

async function serving(open: FileToSend['open'], size = sizeBytes) {
  const app = createHttp(readConfig({}), pino({ level: 'silent' }))
  onTestFinished(() => app.close())
  let finished = 0
  app.addHook('onResponse', async () => {
    finished++
  })
  app.get('/file', (request, reply) =>
    sendFile(request, reply, { sizeBytes: size, etag: 'abc', contentType: 'image/jpeg', open }),
  )
  const connections = () => promisify(app.server.getConnections).call(app.server)
  return { url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/file`, finished: () => finished, connections }
}

async function rawGet(url: string, requests = 1): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /file HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests))
  return socket
}

const becomes = (isSo: () => boolean) => expect.poll(isSo, { interval: 5 }).toBe(true)

test('a file sent by a reader is sent whole and in ranges, with the headers of every response', async () => {
  const { log, reader } = watched()
  const { url, finished } = await serving(async (range) => (range ? createBytesReader(bytes, range) : reader))
  const whole = await fetch(url)
  expect(whole.status).toBe(200)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-length': String(sizeBytes),
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/\S/),
  })
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
  expect(log.closed).toBeGreaterThan(0)

  const part = await fetch(url, { headers: { range: 'bytes=1000-600999' } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 601_000))).toBe(true)
  await becomes(() => finished() === 2)
})

test('a file sent by a reader is not read for HEAD', async () => {
  const { log, reader } = watched()
  const { url } = await serving(async () => reader)
  const answer = await fetch(url, { method: 'HEAD' })
  expect(answer.headers.get('content-length')).toBe(String(sizeBytes))
  expect(log).toEqual({ closed: 1, bytesRead: 0 })
})

test('a file sent by a reader leaves the connection open and clean for the next request', async () => {
  const all = [watched(), watched(), watched()]
  const readers = all.map(({ reader }) => reader)
  const { url, connections } = await serving(async () => readers.shift() ?? watched().reader)
  const socket = await rawGet(url, 3)
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  await becomes(() => received > 3 * sizeBytes)
  expect(socket.readyState).toBe('open')
  socket.destroy()
  await expect.poll(connections).toBe(0)
  expect(all.map(({ log }) => log.closed)).toEqual([1, 1, 1])
})

test.each([
  ['fails', () => Promise.reject(new Error('The disk is gone'))],
  ['ends early', async () => 0],
])('a file sent by a reader that %s midway cuts the connection', async (_how, fail) => {
  let reads = 0
  const { log, reader } = watched({ read: async (buffer) => (++reads > 4 ? fail() : buffer.fill(1).length) })
  const { url } = await serving(async () => reader)
  const received = await text(await rawGet(url))
  expect(received).toContain(`content-length: ${sizeBytes}`)
  expect(received.length).toBeLessThan(sizeBytes)
  expect(log.closed).toBeGreaterThan(0)
})

test('a file sent by a reader that gives too many bytes cuts the connection', async () => {
  const { reader } = watched({ read: async (buffer) => buffer.fill(1).length })
  const { url } = await serving(async () => reader)
  expect((await text(await rawGet(url))).length).toBeLessThan(sizeBytes + 1000)
})

test('a file sent by a reader is read no faster than the client reads, and closed when the client disconnects', async () => {
  const size = 10e9
  const { log, reader } = watched({ read: async (buffer) => buffer.length })
  const { url } = await serving(async () => reader, size)
  const socket = await rawGet(url)
  await becomes(() => log.bytesRead > 0)
  // Reads continue until the buffers of both sides are full. Only a pause shows that nothing is read any more.
  for (let before = 0; log.bytesRead > before; ) {
    before = log.bytesRead
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(log).toMatchObject({ closed: 0, bytesRead: expect.toSatisfy((read) => read > 0 && read < 100e6) })
  socket.destroy()
  await becomes(() => log.closed > 0)
})

test('a file sent by a reader is closed when the client disconnects during a read', async () => {
  const [reading, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { url } = await serving(async () => ({
    read() {
      reading.resolve()
      return closed.promise.then(() => 0)
    },
    close: async () => closed.resolve(),
  }))
  const socket = await rawGet(url)
  await reading.promise
  socket.destroy()
  await closed.promise
})

test('a file sent by a reader is closed also after another response on the same connection', async () => {
  const never = Promise.withResolvers<number>().promise
  const [first, second] = [watched({ read: () => never }), watched()]
  const readers = [first.reader, second.reader]
  const { url } = await serving(async () => readers.shift() ?? watched().reader)
  const socket = await rawGet(url, 2)
  await becomes(() => second.log.bytesRead > 0)
  socket.destroy()
  // The second reader is closed when the client disconnects, and again when sending ends.
  await becomes(() => first.log.closed === 1 && second.log.closed === 2)
})
