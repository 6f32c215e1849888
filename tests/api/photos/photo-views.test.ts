import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
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
  photo: (id = photoId) => `${base()}/photo/${id}`,
  thumbnail: (id = photoId) => `${base()}/thumbnail/${id}`,
  preview: (id = photoId) => `${base()}/preview/${id}`,
  download: (id = photoId) => `${base()}/photos/${id}/download`,
}
const image = { accept: 'image/*' }
const namedPaths = Object.entries(photoPaths)
const archive = () => admin.post(`/api/admin/events/${event.id}/archive`, {})

describe('photo/{id}', () => {
  test('returns JSON, or the image with Accept: image/*', async () => {
    const json = await admin.get(photoPaths.photo())
    expect(json.body).toMatchObject({ id: photoId, width: 900, height: 600 })
    const picture = await admin.get(photoPaths.photo(), image)
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(picture.headers.get('content-disposition')).toBeNull()
    expect(picture.bytes.equals(bytes)).toBe(true)
    for (const { headers } of [json, picture]) expect(headers.get('vary')).toMatch(/accept/i)
  })

  test.each([
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/jpeg'],
    ['IMAGE/JPEG', 'image/jpeg'],
    ['application/json, image/*;q=0.5', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
  ])('with Accept: %s is %s', async (accept, type) => {
    expect((await admin.get(photoPaths.photo(), { accept })).headers.get('content-type')).toBe(type)
  })
})

describe('the pictures for operators', () => {
  test('are a thumbnail of at most 480 px, and a preview of a rendition width', async () => {
    const thumbnail = await sharp((await admin.get(photoPaths.thumbnail())).bytes).metadata()
    expect(thumbnail).toMatchObject({ format: 'jpeg', width: 480, height: 320 })
    const preview = await admin.get(`${photoPaths.preview()}?w=640`, { accept: 'image/webp' })
    expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'webp', width: 640 })
    expect(preview.headers.get('vary')).toMatch(/accept/i)
  })

  test('are downloaded byte for byte under the name of the client, or fitted into a box', async () => {
    const { headers, bytes: whole } = await admin.get(photoPaths.download())
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Fete 1.jpg"; filename*=UTF-8''F%C3%AAte%201.jpg`,
    )
    expect(whole.equals(bytes)).toBe(true)
    const smaller = await admin.get(`${photoPaths.download()}?resolution=90x90`)
    expect(await sharp(smaller.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 90, height: 60 })
    expectInvalidField(await admin.get(`${photoPaths.download()}?resolution=large`), 'resolution')
  })

  test.each(namedPaths)('%s supports ETag, 304, HEAD and ranges', async (_name, path) => {
    const whole = await admin.get(path(), image)
    expect(whole.status).toBe(200)
    const etag = whole.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(whole.headers.get('cache-control')).toBe('private, no-cache')
    expect((await admin.get(path(), { ...image, 'if-none-match': etag })).status).toBe(304)
    const part = await admin.get(path(), { ...image, range: 'bytes=5-14' })
    expect({ status: part.status, bytes: part.bytes }).toEqual({ status: 206, bytes: whole.bytes.subarray(5, 15) })
    const head = await admin.head(path(), image)
    expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
  })

  test.each(namedPaths)('include hidden photos and those of drafts: %s', async (_name, path) => {
    await admin.patch(`${base()}/photos/${photoId}`, { visibility: 'hidden' })
    await changeDatabase(service, (stored) =>
      stored.prepare('update events set is_draft = 1 where id = ?').run(event.id),
    )
    expect((await admin.get(path(), image)).status).toBe(200)
  })

  test.each(namedPaths)('have no watermark and no size limit: %s', async (_name, path) => {
    const plain = (await admin.get(path(), image)).bytes
    const watermarkSettings = { watermark_downloads: true, watermark_text: 'Proof', download_max_px: 700 }
    await admin.patch(`/api/admin/events/${event.id}`, watermarkSettings)
    expect((await admin.get(path(), image)).bytes.equals(plain)).toBe(true)
  })

  test.each(namedPaths)('of another event or of no photo are 404: %s', async (_name, path) => {
    const other = await createEvent(api)
    const [theirs] = await uploadPhotos(api, other.id, 1)
    for (const id of [theirs, 999_999]) expectProblem(await admin.get(path(id), image), 404, 'NOT_FOUND')
  })

  test('are not for API tokens', async () => {
    for (const [, path] of namedPaths) expectProblem(await api.get(path(), image), 401, 'INVALID_TOKEN')
  })

  test('require photos.view, and a download photos.download as well', async () => {
    const editor = await createAccount(service, 'editor')
    const theirs = await createEvent(editor.api)
    const [id] = (await uploadPhotos(editor.api, theirs.id, 1)) as [number]
    event = theirs
    for (const [name, path] of namedPaths) {
      const answer = await editor.admin.get(path(id), image)
      if (name === 'download') expectProblem(answer, 403, 'FORBIDDEN')
      else expect(answer.status).toBe(200)
    }
  })
})

describe('in an archived event', () => {
  test('operators still see photos, and nothing is stored; downloads are 409 EVENT_ARCHIVED', async () => {
    await archive()
    expect((await admin.get(photoPaths.photo())).body.id).toBe(photoId)
    expect((await admin.get(photoPaths.thumbnail())).status).toBe(200)
    for (const path of [photoPaths.photo(), photoPaths.preview()]) {
      const answer = await admin.get(path, { accept: 'image/webp' })
      expect({ status: answer.status, isOriginal: answer.bytes.equals(bytes) }).toEqual({
        status: 200,
        isOriginal: true,
      })
    }
    const made = readDatabase(service, (stored) =>
      stored.prepare('select count(*) from photo_renditions where photo_id = ?').pluck().get(photoId),
    )
    expect(made).toBe(0)
    for (const query of ['', '?resolution=90x90']) {
      expectProblem(await admin.get(photoPaths.download() + query), 409, 'EVENT_ARCHIVED')
    }
  })
})

describe('a missing or damaged file', () => {
  test('is 404 PHOTO_FILE_MISSING if it is the original', async () => {
    const original = getStoredOriginal(service, event.id, photoId)
    await original.resize(100)
    for (const view of [photoPaths.photo(), photoPaths.download()]) {
      expectProblem(await admin.get(view, image), 404, 'PHOTO_FILE_MISSING')
    }
    await original.remove()
    for (const view of [photoPaths.photo(), photoPaths.preview(), photoPaths.download()]) {
      expectProblem(await admin.get(view, image), 404, 'PHOTO_FILE_MISSING')
    }
  })

  test('is created again if it is the thumbnail', async () => {
    const { thumbnail_path } = (await admin.get(photoPaths.photo())).body
    await openStoredFile(service, `files/events/${event.id}/thumbnails/${thumbnail_path}`).remove()
    const { status, bytes: made } = await admin.get(photoPaths.thumbnail())
    expect({ status, width: (await sharp(made).metadata()).width }).toEqual({ status: 200, width: 480 })
  })
})
