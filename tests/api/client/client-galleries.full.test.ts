import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createGallery } from '../../../clients/typescript/source/index.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const { api, admin, url } = await sharedService()

test('a guest enters, sees photos, gives feedback and submits a selection', async () => {
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)
  const anonymous = createGallery({ baseUrl: url })
  expect(await anonymous.find(event.share_token)).toEqual({ slug: event.slug, requires_password: false })
  expect(await anonymous.info(event.slug)).toMatchObject({ is_active: true })
  const entered = await anonymous.enterByLink({ slug: event.slug, token: event.share_token })
  const gallery = createGallery({ baseUrl: url, session: 'token' in entered ? entered.token : '' })

  const { token: guestToken } = await gallery.nameGuest(event.slug, { name: 'Zoë' })
  const found: number[] = []
  for await (const photo of gallery.photos(event.slug, { limit: 2, sort: 'upload_date_asc' })) found.push(photo.id)
  expect(found).toEqual(ids)
  const [photoId = 0] = ids
  const given = await gallery.giveFeedback(event.slug, photoId, { feedback_type: 'favorite' })
  expect(given).toMatchObject({ created: true })
  expect(await gallery.feedback(event.slug, photoId)).toMatchObject({ my_feedback: { is_favorited: true } })
  expect(await gallery.submitSelection(event.slug, { note: 'For the album' })).toMatchObject({ number: 1, count: 1 })
  const { selections } = (await admin.get(`/api/admin/events/${event.id}/selections`)).body
  expect(selections).toMatchObject([{ note: 'For the album', photo_ids: [photoId] }])

  const zip = await gallery.downloadZip(event.slug)
  expect((await buffer(zip.body)).length).toBe(zip.sizeBytes)
  const link = { slug: event.slug, token: event.share_token }
  const again = await createGallery({ baseUrl: url, guestToken }).enterByLink(link)
  const later = createGallery({ baseUrl: url, session: 'token' in again ? again.token : '' })
  expect(await later.feedback(event.slug, photoId)).toMatchObject({ my_feedback: { is_favorited: true } })
})

test('a gallery with a password opens with it', async () => {
  const event = await createEvent(api, { require_password: true, password: 'olive tree 7' })
  const gallery = createGallery({ baseUrl: url })
  expect(await gallery.enterByLink({ slug: event.slug, token: event.share_token })).toEqual({ requires_password: true })
  const wrong = gallery.enterByPassword({ slug: event.slug, password: 'olive tree 8' })
  await expect(wrong).rejects.toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' })
  const { token } = await gallery.enterByPassword({ slug: event.slug, password: 'olive tree 7' })
  const { pagination } = await createGallery({ baseUrl: url, session: token }).photos(event.slug).first()
  expect(pagination.total).toBe(0)
})
