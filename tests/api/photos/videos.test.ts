import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { allowVideos, clip, sendVideo, uploadVideo, waitUntilProcessed } from '../../support/media/videos.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { adminUploadsPath } from '../../support/uploads/chunked-uploads.ts'

const service = await serviceForFile()
const { admin, api } = service
const event = await createEvent(api)
const film = await clip('film.mp4')

test('a video is accepted only if the settings allow its type, in chunks and with the content of its name', async () => {
  const init = { filename: 'film.mp4', fileSize: film.length }
  const rejected = await admin.post(`${adminUploadsPath(event.id)}/init`, init)
  expect([rejected.status, rejected.body.error]).toEqual([400, 'File type not allowed'])
  await allowVideos(service, 'jpg,mp4')
  expectProblem(await sendVideo(admin, event.id, await clip('film.mov')), 415, 'FILE_TYPE_NOT_ALLOWED')
  expectProblem(await sendVideo(admin, event.id, await jpeg(), { name: 'a.mp4' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  expectProblem(await sendVideo(admin, event.id, film, { name: 'a.jpg' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  const form = await api.upload(event.id, film, { name: 'film.mp4', type: 'video/mp4' })
  expectProblem(form, 415, 'UNSUPPORTED_MEDIA_TYPE')
  expect(form.body.error).toContain('Use chunked uploads for videos')
  expectProblem(await api.upload(event.id, film, { name: 'film.mp4' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  for (const general_allowed_file_types of ['jpg,mkv', 'mp4;mov']) {
    expectProblem(await admin.put('/api/admin/settings', { general_allowed_file_types }), 400, 'VALIDATION_ERROR')
  }
})

test('a video gets a still at 1 second, a size and a duration, and is 404 for guests while hidden', async () => {
  const { status, body } = await sendVideo(admin, event.id, film, { name: 'film.mp4' })
  expect(status).toBe(200)
  const [video] = body.photos
  expect(video).toMatchObject({ media_type: 'video', mime_type: 'video/mp4', original_filename: 'film.mp4' })
  expect(video).toMatchObject({ processing_status: 'processing', width: null, size_bytes: film.length })
  const record = await waitUntilProcessed(api, event.id, video.id)
  expect(record).toMatchObject({ processing_status: 'ready', processing_error: null, width: 64, height: 48 })
  expect(record.duration).toBeCloseTo(2, 1)
  expect(record.thumbhash).toMatch(/\S/)

  const guest = await enterAsGuest(service, event)
  const get = (path: string) => guest.get(`/api/gallery/${event.slug}/${path}`)
  const thumbnail = await get(`thumbnail/${video.id}`)
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const means = (await sharp(thumbnail.bytes).stats()).channels.map(({ mean }) => mean)
  expect(means.indexOf(Math.max(...means)), 'blue').toBe(2)
  const original = await get(`photo/${video.id}`)
  expect([original.status, original.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(original.headers.get('x-content-type-options')).toBe('nosniff')
  expect(original.bytes.equals(film)).toBe(true)

  await admin.patch(`/api/admin/photos/${event.id}/photos/${video.id}`, { visibility: 'hidden' })
  for (const path of ['photo/%', 'photo/%?w=640', 'thumbnail/%', 'download/%']) {
    expectProblem(await get(path.replace('%', video.id)), 404, 'NOT_FOUND')
  }
})

test('a video replaces only a video, and a photo only a photo: otherwise 415, and nothing changes', async () => {
  const video = await uploadVideo(admin, event.id, film)
  const before = await waitUntilProcessed(api, event.id, video)
  const photo = (await api.upload(event.id, await jpeg())).body.id
  const picture = await jpeg({ seed: 2 })
  for (const send of [
    () => sendVideo(admin, event.id, picture, { name: 'a.jpg', replaces_photo_id: video }),
    () => sendVideo(admin, event.id, film, { replaces_photo_id: photo }),
    () => api.upload(event.id, picture, { fields: { replaces_photo_id: video } }),
  ]) {
    expectProblem(await send(), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  expect((await api.get(`/api/v1/events/${event.id}/photos/${video}`)).body).toEqual(before)
})
