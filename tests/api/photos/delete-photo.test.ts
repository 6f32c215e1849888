import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, loadPhotoRows } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api, admin } = service

test('a deleted photo is gone from every route, and from the totals of its event', async () => {
  const event = await createEvent(api)
  const [first, second] = (await uploadPhotos(api, event.id, 2)) as [number, number]
  const guest = await enterAsGuest(service, event)
  const routes = ['photo', 'thumbnail', 'download'].map((route) => `/api/gallery/${event.slug}/${route}/${first}`)
  for (const route of [...routes, ...routes]) expect((await guest.get(route)).status).toBe(200)

  expect((await admin.delete(`/api/admin/photos/${event.id}/photos/${first}`)).status).toBe(200)
  for (const route of routes) expectProblem(await guest.get(route), 404, 'NOT_FOUND')
  expectProblem(await admin.get(`/api/admin/photos/${event.id}/photo/${first}`), 404, 'NOT_FOUND')
  expectProblem(await admin.delete(`/api/admin/photos/${event.id}/photos/${first}`), 404, 'NOT_FOUND')

  const { photos, pagination } = (await api.get(`/api/v1/events/${event.id}/photos`)).body
  expect(photos.map(({ id }: { id: number }) => id)).toEqual([second])
  expect(pagination.total).toBe(1)
  const totals = { photo_count: 1, total_size: photos[0].size_bytes }
  expect((await api.get(`/api/v1/events/${event.id}`)).body).toMatchObject(totals)
  expect((await guest.get(`/api/gallery/${event.slug}/photos`)).body.pagination.total).toBe(1)
})

test('the id of a deleted photo is never used again', async () => {
  const event = await createEvent(api)
  const [first] = (await uploadPhotos(api, event.id, 1)) as [number]
  await admin.delete(`/api/admin/photos/${event.id}/photos/${first}`)
  const [next] = (await uploadPhotos(api, event.id, 1)) as [number]
  expect(next).toBeGreaterThan(first)
})

test('deleting a photo of an archived event returns 409 EVENT_ARCHIVED', async () => {
  const event = await createEvent(api)
  const [photoId] = await uploadPhotos(api, event.id, 1)
  await changeDatabase(service, (stored) =>
    stored.prepare('update events set is_archived = 1 where id = ?').run(event.id),
  )
  const before = loadPhotoRows(service)
  const path = `/api/admin/photos/${event.id}/photos/${photoId}`
  expectProblem(await admin.delete(path), 409, 'EVENT_ARCHIVED')
  expectProblem(await admin.patch(path, { visibility: 'hidden' }), 409, 'EVENT_ARCHIVED')
  expect(loadPhotoRows(service)).toEqual(before)
})
