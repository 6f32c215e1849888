import { readdirSync, readlinkSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { end, formHead, part } from '../../support/clients/multipart.ts'
import { openSocket, readRawResponse } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
let event: TestEvent
let guest: TestClient
let photoId: number
let before: Awaited<ReturnType<typeof storedState>>
beforeAll(async () => {
  const { body: categories } = await service.admin.get('/api/admin/categories/global')
  event = await createEvent(service.api, { allow_user_uploads: true, upload_category_id: categories[0].id })
  guest = await enterAsGuest(service, event)
  photoId = (await uploadPhotos(service.api, event.id, 1))[0] ?? 0
})
beforeEach(async () => {
  before = await storedState(service)
})

type UploadRoute = { path: string; token: string | undefined; fileField: string }
const uploadRoutes: Record<string, () => UploadRoute> = {
  'the public upload': () => ({
    path: `/api/v1/events/${event.id}/photos`,
    token: service.api.token,
    fileField: 'photo',
  }),
  "the operators' upload": () => ({
    path: `/api/admin/photos/${event.id}/upload`,
    token: service.admin.token,
    fileField: 'photos',
  }),
  "the operators' replace": () => ({
    path: `/api/admin/photos/${event.id}/photos/${photoId}/replace`,
    token: service.admin.token,
    fileField: 'photo',
  }),
  'the upload of guests': () => ({
    path: `/api/gallery/${event.slug}/upload`,
    token: guest.token,
    fileField: 'photos',
  }),
}

const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)
const file = (name: string, bytes: Uint8Array) =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg`, bytes)

const rejectedParts: Array<[string, () => Buffer]> = [
  ['a text that is too long', () => field('category_id', '1'.repeat(20_000))],
  ['60 texts', () => Buffer.concat(Array.from({ length: 60 }, (_, index) => field(`f${index}`, 'x')))],
  ['a number sent as a file', () => file('category_id', Buffer.from('1'))],
]

/** Returns the staged files that this process, which runs the service, has open. */
function listOpenStagedFiles(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(`${service.dataDir}/media/staging`) ? [path] : []
    } catch {
      return []
    }
  })
}

describe.each(Object.entries(uploadRoutes))('at %s', (route, getUploadRoute) => {
  // All routes read forms with the same code, so one kind shows that a route uses it.
  const parts = route === 'the public upload' ? rejectedParts : rejectedParts.slice(0, 1)
  test.each(parts)('%s before a file is 400 before the file is complete', async (_name, rejectedPart) => {
    const { path, token, fileField } = getUploadRoute()
    const body = Buffer.concat([rejectedPart(), file(fileField, Buffer.alloc(2 ** 20, 1)), end])
    const sentLength = rejectedPart().length + 200_000
    const socket = openSocket(service.url)
    onTestFinished(() => void socket.destroy())
    const answered = readRawResponse(socket)
    socket.write(formHead(path, token, { 'content-length': String(body.length) }))
    socket.write(body.subarray(0, sentLength))
    const { status, body: text } = await answered
    expect([status, JSON.parse(text).code]).toEqual([400, 'VALIDATION_ERROR'])
    await vi.waitFor(async () => expect(await storedState(service)).toEqual(before), 60_000)
    expect(listOpenStagedFiles()).toEqual([])

    // The service discards the rest, and the connection serves the next request.
    const next = readRawResponse(socket)
    socket.write(body.subarray(sentLength))
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect((await next).status).toBe(200)
    expect(await storedState(service)).toEqual(before)
  })
})
