import { expect, test } from 'vitest'
import { createProofroom } from '../../../clients/typescript/source/index.ts'
import { losingFetch } from '../../support/clients/unreliable-fetch.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, url } = service
const connect = (fetch?: (request: Request) => Promise<Response>) =>
  createProofroom({ baseUrl: url, token: api.token ?? '', ...(fetch && { fetch }) })
const proofroom = connect()

test('the token knows its account', async () => {
  expect(await proofroom.me()).toMatchObject({ token: { scopes: ['admin'] }, user: { id: 1 } })
})

test('photos are changed, marked and deleted', async () => {
  const { id } = await createEvent(api)
  const [first = 0, second = 0, third = 0] = await uploadPhotos(api, id, 3)
  const category = await proofroom.categories.create(id, { name: 'Dance' })
  expect(await proofroom.photos.update(id, first, { category_id: category.id })).toMatchObject({ category: 'Dance' })
  await proofroom.photos.updateMany(id, { photoIds: [second, third], updates: { visibility: 'hidden' } })
  await proofroom.photos.mark(id, first, { rating: 4 })
  expect(await proofroom.photos.get(id, first)).toMatchObject({ my_rating: 4, visibility: 'visible' })
  expect(await proofroom.photos.get(id, third)).toMatchObject({ visibility: 'hidden' })
  expect((await (await proofroom.photos.thumbnail(id, first)).blob()).size).toBeGreaterThan(100)
  await proofroom.photos.delete(id, second)
  await proofroom.photos.deleteMany(id, { photoIds: [third] })
  expect((await proofroom.photos.list(id).first()).pagination.total).toBe(1)
  expect(await proofroom.categories.list(id)).toContainEqual(
    expect.objectContaining({ id: category.id, photo_count: 1 }),
  )
})

test('a selection is listed, marked as done and exported', async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, { feedback_type: 'favorite' })
  await guest.post(`/api/gallery/${event.slug}/selection`, {})
  expect((await proofroom.proofing.picks(event.id)).photos).toHaveLength(1)
  for await (const { id, photo_ids } of proofroom.proofing.selections(event.id)) {
    expect(photo_ids).toEqual([photo])
    expect((await proofroom.proofing.markSelectionDone(event.id, id)).done_at).not.toBeNull()
  }
  const file = await proofroom.exports.download(event.id, { format: 'csv' })
  expect(await (await file.blob()).text()).toContain('photo-1')
})

test('a customer gets an event', async () => {
  const event = await createEvent(api)
  const email = `ana-${event.id}@example.com`
  const { id } = await proofroom.customers.create({ name: 'Ana', email })
  await proofroom.customers.assign(id, event.id)
  await proofroom.customers.withdraw(id, event.id)
  await proofroom.customers.delete(id)
  await expect(proofroom.customers.delete(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a webhook is created once, changed and deleted', async () => {
  const body = { name: 'n8n', url: 'https://93.184.216.34/hook', events: ['photo.uploaded' as const], active: false }
  const { id, secret } = await connect(losingFetch(1).fetch).webhooks.create(body)
  expect(secret).toMatch(/^.{44}$/)
  expect((await proofroom.webhooks.list()).map((webhook) => webhook.id)).toEqual([id])
  expect(await proofroom.webhooks.update(id, { name: 'Zapier' })).toMatchObject({ name: 'Zapier' })
  await expect(proofroom.webhooks.test(id)).rejects.toMatchObject({ code: 'WEBHOOK_INACTIVE' })
  expect((await proofroom.webhooks.types()).event_types.length).toBeGreaterThan(5)
  await proofroom.webhooks.delete(id)
})
