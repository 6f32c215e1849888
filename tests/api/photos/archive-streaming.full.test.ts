import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { openSocket } from '../../support/clients/raw-http.ts'
import { getStoredOriginal } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpegOfSize } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const storageCalls = { lists: 0, opened: 0 }

const countStorageCalls = (storage: Storage): Storage => ({
  ...storage,
  list(prefix) {
    storageCalls.lists++
    return storage.list(prefix)
  },
  openReader(key, range) {
    storageCalls.opened++
    return storage.openReader(key, range)
  },
  openStream: () => Promise.reject(new Error('A ZIP opens readers')),
  readSmallFile: () => Promise.reject(new Error('A ZIP opens readers')),
})

const service = await serviceForFile({ edges: { wrapStorage: countStorageCalls } })
const { api } = service

const archivePath = ({ id }: { id: number }) => `/api/v1/events/${id}/photos/download`

describe('the storage', () => {
  test('is listed once, and opens each file once: none for HEAD or 304, and for a range only those within', async () => {
    const event = await createEvent(api)
    await uploadPhotos(api, event.id, 3)
    Object.assign(storageCalls, { lists: 0, opened: 0 })
    const { headers } = await api.head(archivePath(event))
    expect(storageCalls).toEqual({ lists: 1, opened: 0 })
    await api.get(archivePath(event), { 'if-none-match': headers.get('etag') ?? '' })
    expect(storageCalls).toEqual({ lists: 2, opened: 0 })
    const { bytes } = await api.get(archivePath(event))
    expect(storageCalls).toEqual({ lists: 3, opened: 3 })
    await api.get(archivePath(event), { range: `bytes=${bytes.length - 30}-` })
    await api.get(archivePath(event), { range: 'bytes=200-210' })
    expect(storageCalls).toEqual({ lists: 5, opened: 4 })
  })
})

describe('a running download', () => {
  const sizeBytes = 6_000_000
  let event: TestEvent
  let ids: number[]
  beforeAll(async () => {
    event = await createEvent(api)
    ids = []
    for (const seed of [1, 2, 3]) {
      ids.push((await api.upload(event.id, await jpegOfSize(sizeBytes, { seed }), { name: `${seed}.jpg` })).body.id)
    }
  })

  async function beginDownload() {
    const socket = openSocket(service.url)
    socket.write(`GET ${archivePath(event)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    const expectedLength = Number(/content-length: (\d+)/i.exec(first.toString('latin1'))?.[1])
    return { socket, first, expectedLength }
  }

  test('ends complete although one of its photos is replaced', async () => {
    const { socket, first, expectedLength } = await beginDownload()
    await api.upload(event.id, await jpegOfSize(sizeBytes, { seed: 9 }), { fields: { replaces_photo_id: ids[2] ?? 0 } })
    let received = first.length - (first.indexOf('\r\n\r\n') + 4)
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received === expectedLength) socket.destroy()
    })
    socket.resume()
    await once(socket, 'close')
    expect(received).toBe(expectedLength)
  })

  test('is cut off if a file disappears, and never looks complete', async () => {
    const { socket, first, expectedLength } = await beginDownload()
    // Not the second file: while a file is removed from a bucket, the next one may already be opened.
    await getStoredOriginal(service, event.id, ids[2] ?? 0).remove()
    let received = first.length - (first.indexOf('\r\n\r\n') + 4)
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    socket.resume()
    await once(socket, 'close')
    expect(received).toBeGreaterThan(0)
    expect(received).toBeLessThan(expectedLength)
    expect((await api.get(archivePath(event))).headers.get('x-zip-missing')).toBe('1')
  })
})
