import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { noisyPicture } from '../../support/media/image-files.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { openStoredFile } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api, admin } = service
const bytes = Buffer.from(await noisyPicture(900, 600).jpeg().toBuffer())
let event: TestEvent
let photoId: number
beforeEach(async () => {
  event = await createEvent(api)
  photoId = (await api.upload(event.id, bytes, { name: 'Fête 1.jpg' })).body.id
})

const base = () => `/api/admin/photos/${event.id}`
const photoPaths = {
  photo: () => `${base()}/photo/${photoId}`,
  thumbnail: () => `${base()}/thumbnail/${photoId}`,
  preview: () => `${base()}/preview/${photoId}`,
  download: () => `${base()}/photos/${photoId}/download`,
}
const image = { accept: 'image/*' }
const paths = Object.values(photoPaths)

test('photo/{id} returns JSON, or the image if Accept prefers images', async () => {
  const types = {
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8': 'image/jpeg',
    'IMAGE/JPEG': 'image/jpeg',
    'application/json, image/*;q=0.5': 'application/json; charset=utf-8',
    '*/*': 'application/json; charset=utf-8',
  }
  for (const [accept, type] of Object.entries(types)) {
    const { headers, body, bytes: sent } = await admin.get(photoPaths.photo(), { accept })
    expect([headers.get('content-type'), headers.get('content-disposition')], accept).toEqual([type, null])
    expect(headers.get('vary')).toMatch(/accept/i)
    if (type === 'image/jpeg') expect(sent.equals(bytes)).toBe(true)
    else expect(body).toMatchObject({ id: photoId, width: 900, height: 600 })
  }
})

test('operators get a thumbnail, a preview and a download under the name of the client', async () => {
  const thumbnail = await sharp((await admin.get(photoPaths.thumbnail())).bytes).metadata()
  expect(thumbnail).toMatchObject({ format: 'jpeg', width: 480, height: 320 })
  const preview = await admin.get(`${photoPaths.preview()}?w=640`, { accept: 'image/webp' })
  expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'webp', width: 640 })
  const download = await admin.get(photoPaths.download())
  expect(download.headers.get('content-disposition')).toBe(
    `attachment; filename="Fete 1.jpg"; filename*=UTF-8''F%C3%AAte%201.jpg`,
  )
  expect(download.bytes.equals(bytes)).toBe(true)
  const smaller = await admin.get(`${photoPaths.download()}?resolution=90x90`)
  expect(await sharp(smaller.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 90, height: 60 })
  expectInvalidField(await admin.get(`${photoPaths.download()}?resolution=large`), 'resolution')
})

test('pictures for operators have no watermark and no size limit, also hidden ones and those of drafts', async () => {
  const load = () => Promise.all(paths.map(async (path) => (await admin.get(path(), image)).bytes))
  const plain = await load()
  const rules = { watermark_downloads: true, watermark_text: 'Proof', download_max_px: 700 }
  await admin.patch(`/api/admin/events/${event.id}`, rules)
  await admin.patch(`${base()}/photos/${photoId}`, { visibility: 'hidden' })
  await changeDatabase(service, (stored) => stored.prepare('update events set is_draft = 1 where id = ?').run(event.id))
  expect(await load()).toEqual(plain)
})

test('in an archived event operators still see photos, and nothing is stored; downloads are 409', async () => {
  await admin.post(`/api/admin/events/${event.id}/archive`, {})
  expect((await admin.get(photoPaths.photo())).body.id).toBe(photoId)
  expect((await admin.get(photoPaths.thumbnail())).status).toBe(200)
  for (const path of [photoPaths.photo(), photoPaths.preview()]) {
    const answer = await admin.get(path, { accept: 'image/webp' })
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true])
  }
  const made = readDatabase(service, (stored) =>
    stored.prepare('select count(*) from photo_renditions where photo_id = ?').pluck().get(photoId),
  )
  expect(made).toBe(0)
  for (const query of ['', '?resolution=90x90']) {
    expectProblem(await admin.get(photoPaths.download() + query), 409, 'EVENT_ARCHIVED')
  }
})

test('a damaged or missing original is 404 PHOTO_FILE_MISSING, a missing thumbnail is created again', async () => {
  const { thumbnail_path } = (await admin.get(photoPaths.photo())).body
  await openStoredFile(service, `files/events/${event.id}/thumbnails/${thumbnail_path}`).remove()
  const { status, bytes: made } = await admin.get(photoPaths.thumbnail())
  expect({ status, width: (await sharp(made).metadata()).width }).toEqual({ status: 200, width: 480 })
  const original = getStoredOriginal(service, event.id, photoId)
  await original.resize(100)
  expectProblem(await admin.get(photoPaths.download(), image), 404, 'PHOTO_FILE_MISSING')
  await original.remove()
  for (const view of [photoPaths.photo(), photoPaths.preview(), photoPaths.download()]) {
    expectProblem(await admin.get(view, image), 404, 'PHOTO_FILE_MISSING')
  }
})
