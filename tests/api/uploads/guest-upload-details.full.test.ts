import { beforeAll, expect, test } from 'vitest'
import { end, formHead, part } from '../../support/clients/multipart.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { openSocket, readRawResponse } from '../../support/clients/raw-http.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { watchRequest } from '../../support/clients/watch-request.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { sendAllChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await sharedService()
const { admin, api } = service
/** The global categories have the same ids in each new instance. */
let uploadFields: Record<string, unknown>
beforeAll(async () => {
  const { body } = await admin.get('/api/admin/categories/global')
  uploadFields = { allow_user_uploads: true, upload_category_id: body[0].id }
})

async function openGallery(body: Record<string, unknown> = {}) {
  const event = await createEvent(api, { ...uploadFields, ...body })
  return { event, guest: await enterAsGuest(service, event) }
}
const uploadPath = ({ slug }: TestEvent): string => `/api/gallery/${slug}/upload`
const createFiles = (...seeds: number[]) =>
  Promise.all(seeds.map(async (seed) => ({ bytes: await jpeg({ seed }), name: `party-${seed}.jpg` })))
const listPhotos = async (client: TestClient, { slug }: TestEvent) =>
  (await client.get(`/api/gallery/${slug}/photos`)).body.photos
const listAsOperator = async ({ id }: TestEvent) => (await api.get(`/api/v1/events/${id}/photos`)).body.photos

test('operators see the name of the guest, also after a merge, which no other list contains', async () => {
  const { event, guest } = await openGallery({ moderate_uploads: true })
  const nameless = await enterAsGuest(service, event)
  const other = await enterAsGuest(service, event)
  const rename = async (client: TestClient, name: string) =>
    (await client.post(`/api/gallery/${event.slug}/guest`, { name })).body.guest.id
  const ids = { from: await rename(guest, 'Ana Secret'), into: await rename(other, 'Ben Secret') }
  await sendFiles(guest, uploadPath(event), await createFiles(1))
  const chunked = await sendAllChunks(guest, `/api/gallery/${event.slug}/chunked-upload`, await jpeg({ seed: 2 }))
  await chunked.complete()
  await sendFiles(nameless, uploadPath(event), await createFiles(3))
  await uploadPhotos(api, event.id, 1)
  const names = async (query: string) =>
    (await admin.get(`/api/admin/photos/${event.id}/photos${query}`)).body.photos.map(
      ({ awaits_review, guest_name }: Record<string, unknown>) => [awaits_review, guest_name],
    )
  const ofAna = [true, 'Ana Secret']
  expect(await names('?review=waiting&limit=10')).toEqual([ofAna, ofAna, [true, null]])
  expect(await names('')).toEqual([ofAna, ofAna, [true, null], [false, null]])
  const change = async (visibility: string, awaits_review: boolean) => {
    const photoIds = (await listAsOperator(event)).map(({ id }: { id: number }) => id)
    const updates = { visibility, awaits_review }
    expect((await admin.post(`/api/admin/photos/${event.id}/photos/bulk-update`, { photoIds, updates })).status).toBe(
      200,
    )
  }
  await change('visible', true)
  expect(await names('?review=waiting&limit=10')).toEqual([])
  // Only uploads of guests can wait.
  await change('hidden', true)
  expect(await names('')).toEqual([ofAna, ofAna, [true, null], [false, null]])

  const own = (await listAsOperator(event)).at(-1)
  await admin.patch(`/api/admin/photos/${event.id}/photos/${own.id}`, { visibility: 'visible' })

  expect((await admin.post(`/api/admin/events/${event.id}/guests/merge`, ids)).status).toBe(200)
  const [photo] = await listAsOperator(event)
  const path = `/api/admin/photos/${event.id}/photos/${photo.id}`
  await admin.patch(path, { visibility: 'visible' })
  const single = await admin.get(`/api/admin/photos/${event.id}/photo/${photo.id}`)
  expect(single.body).toMatchObject({ awaits_review: false, guest_name: 'Ben Secret' })
  const seenByOthers = [await listAsOperator(event), await listPhotos(nameless, event)]
  expect(seenByOthers.map((photos) => photos.length)).toEqual([4, 2])
  expect(JSON.stringify(seenByOthers)).not.toMatch(/Secret|guest_name|guest_id|awaits_review/)
})

test('an upload into a draft, an archived or an expired gallery is rejected', async () => {
  const clock = createMovableClock()
  const timed = await serviceForTest({ edges: { clock } })
  const [archived, expiring] = [
    await createEvent(timed.api, uploadFields),
    await createEvent(timed.api, { ...uploadFields, expiration_days: 1 }),
  ]
  const guests = [await enterAsGuest(timed, archived), await enterAsGuest(timed, expiring)] as const
  await timed.api.post(`/api/v1/events/${archived.id}/archive`, {})
  clock.advance(23.9 * 3_600_000)
  expect((await sendFiles(guests[1], uploadPath(expiring), await createFiles(1))).status).toBe(201)
  clock.advance(0.2 * 3_600_000)
  const draft = await createEvent(timed.api, { ...uploadFields, is_draft: true })
  expectProblem(await sendFiles(guests[0], uploadPath(draft), await createFiles(1)), 404, 'NOT_FOUND')
  expectProblem(await sendFiles(guests[0], uploadPath(archived), await createFiles(1)), 404, 'NOT_FOUND')
  expectProblem(await sendFiles(guests[1], uploadPath(expiring), await createFiles(1)), 410, 'GALLERY_EXPIRED')
})

test('an upload is rejected after the body, if uploads were disabled while it arrived', async () => {
  const { event, guest } = await openGallery()
  const headers = 'Content-Disposition: form-data; name="photos"; filename="late.jpg"\r\nContent-Type: image/jpeg'
  const body = Buffer.concat([part(headers, await jpeg()), end])
  const { isRead } = watchRequest(uploadPath(event))
  const socket = openSocket(service.url)
  const answered = readRawResponse(socket)
  socket.write(formHead(uploadPath(event), guest.token, { 'content-length': String(body.length) }))
  socket.write(body.subarray(0, 200))
  await isRead
  await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: false })
  socket.write(body.subarray(200))
  const answer = await answered
  socket.destroy()
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'UPLOADS_DISABLED'])
  expect(await listAsOperator(event)).toEqual([])
})

test('one upload is one of the 120 writes a minute of a guest, with any number of files', async () => {
  const limited = await serviceForTest({ environment: { RATE_LIMIT: 'on' } })
  const event = await createEvent(limited.api, uploadFields)
  const guest = await enterAsGuest(limited, event)
  expect((await sendFiles(guest, uploadPath(event), await createFiles(1, 2, 3))).status).toBe(201)
  for (let write = 2; write <= 120; write++) expect((await guest.post(uploadPath(event), {})).status).toBe(400)
  expectProblem(await guest.post(uploadPath(event), {}), 429, 'RATE_LIMITED')
})
