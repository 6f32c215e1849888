import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import {
  addImportFile,
  importDir,
  importTimeout,
  listImportFiles,
  loadPhotos,
  startImportingService,
} from '../../support/fixtures/imports.ts'
import { jpeg, jpegWithXmp } from '../../support/media/pictures.ts'
import { sidecarForms } from '../../support/media/sidecar-forms.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { adminUploadsPath, sendAllChunks } from '../../support/uploads/chunked-uploads.ts'

const service = await serviceForFile()
const { admin, api } = service
const switchTo = (isOn: boolean, { put } = admin) => put('/api/admin/settings', { general_read_culling_marks: isOn })

const rated = (seed: number, marks = { rating: '4', label: 'Grün' }) =>
  jpegWithXmp(sidecarForms.lightroom(marks), { seed })
const own = { my_rating: 4, my_color_label: 'green' }
const none = { my_rating: null, my_color_label: null }

describe('rating and label of a file', () => {
  beforeAll(() => switchTo(true).then(() => undefined))

  test('become own marks of the account that sends it, and are merged with the marks of guests', async () => {
    const event = await createEvent(api)
    const { status, body: photo } = await api.upload(event.id, await rated(1))
    expect([status, photo]).toEqual([201, expect.objectContaining(own)])
    const guest = await enterAsGuest(service, event)
    for (const mark of [{ rating: 5 }, { color_label: 'red' }]) {
      const feedback_type = Object.keys(mark)[0]
      await guest.post(`/api/gallery/${event.slug}/photos/${photo.id}/feedback`, { feedback_type, ...mark })
    }
    const { photos } = (await api.get(`/api/v1/events/${event.id}/photos?my_min_rating=4&mark_source=either`)).body
    expect(photos).toMatchObject([{ rating: 5, color_label: 'green', ...own }])
  })

  test('are read from each photo of a form', async () => {
    const event = await createEvent(api)
    const files = [
      { bytes: await rated(2), name: 'a.jpg' },
      { bytes: await rated(3, { rating: '-1', label: 'Select' }), name: 'b.jpg' },
      { bytes: await jpeg({ seed: 4 }), name: 'c.jpg' },
      { bytes: await rated(5, { rating: 'many', label: 'Winner' }), name: 'd.jpg' },
    ]
    const { body } = await sendFiles(admin, `/api/admin/photos/${event.id}/upload`, files)
    expect(body.photos).toMatchObject([own, { my_rating: null, my_color_label: 'red' }, none, none])
  })

  test('are read from an upload in chunks, and those of its sidecar precede them', async () => {
    const event = await createEvent(api)
    const upload = async (seed: number, body = {}) => {
      const sent = await sendAllChunks(admin, adminUploadsPath(event.id), await rated(seed))
      return (await sent.complete(body)).body.photos[0]
    }
    expect(await upload(6)).toMatchObject(own)
    expect(await upload(7, { sidecar: { rating: 2 } })).toMatchObject({ my_rating: 2, my_color_label: 'green' })
    expect(await upload(17, { sidecar: { rating: 2, label: 'Red', synced: '2 -' } })).toMatchObject({
      my_rating: null,
      my_color_label: 'red',
    })
    const sidecar = { rating: -1, label: 'Winner', label_color: 'blue' }
    expect(await upload(8, { sidecar })).toMatchObject({ my_rating: null, my_color_label: 'blue' })
    const sent = await sendAllChunks(admin, adminUploadsPath(event.id), await rated(9))
    expectInvalidField(await sent.complete({ sidecar: { rating: 6 } }), 'sidecar.rating')
  })

  test('are not read from uploads of guests', async () => {
    const event = await createEvent(api, { allow_user_uploads: true, upload_category_id: 1 })
    const guest = await enterAsGuest(service, event)
    const file = { bytes: await rated(10), name: 'a.jpg' }
    expect((await sendFiles(guest, `/api/gallery/${event.slug}/upload`, [file])).status).toBe(201)
    const sent = await sendAllChunks(guest, `/api/gallery/${event.slug}/chunked-upload`, await rated(15))
    expect((await sent.complete({ sidecar: { rating: 5 } })).status).toBe(200)
    const { photos } = (await api.get(`/api/v1/events/${event.id}/photos`)).body
    expect(photos).toMatchObject([none, none])
  })

  test('do not change the marks of a replaced photo', async () => {
    const event = await createEvent(api)
    const { body: photo } = await api.upload(event.id, await jpeg({ seed: 11 }))
    const fields = { replaces_photo_id: String(photo.id) }
    expect((await api.upload(event.id, await rated(12), { fields })).status).toBe(200)
    expect((await api.get(`/api/v1/events/${event.id}/photos/${photo.id}`)).body).toMatchObject(none)
  })
})

test('without the setting, an upload has no own marks', async () => {
  await switchTo(false)
  const event = await createEvent(api)
  expect((await api.upload(event.id, await rated(13))).body).toMatchObject(none)
  const sent = await sendAllChunks(admin, adminUploadsPath(event.id), await rated(14))
  expect((await sent.complete({ sidecar: { rating: 5 } })).body.photos).toMatchObject([none])
})

test('an import reads photos and their sidecars, and moves both', async () => {
  const importing = await startImportingService()
  await switchTo(true, importing.admin)
  const event = await createEvent(importing.api)
  const sidecar = (rating: string, label: string) => Buffer.from(sidecarForms.darktable({ rating, label }))
  const files = {
    'a.JPG': await jpeg({ seed: 20 }),
    'a.CR3.xmp': sidecar('5', 'Purple'),
    'b.jpg': await rated(21),
    'b.xmp': sidecar('3', 'レッド'),
    'c.jpg': await rated(22),
    'c.xmp': Buffer.from('<broken'),
  }
  for (const [name, bytes] of Object.entries(files)) await addImportFile(importing, `.copying/${name}`, bytes)
  // So that no scan finds only some of the files.
  await rename(join(importDir(importing), '.copying'), join(importDir(importing), event.slug))
  await expect.poll(() => loadPhotos(importing, event.id), importTimeout).toHaveLength(3)
  const photos = await loadPhotos(importing, event.id)
  const marks = Object.fromEntries(
    photos.map((photo) => [photo.original_filename, [photo.my_rating, photo.my_color_label]]),
  )
  expect(marks).toEqual({ 'a.JPG': [5, 'purple'], 'b.jpg': [3, 'red'], 'c.jpg': [4, 'green'] })
  await expect
    .poll(() => listImportFiles(importing))
    .toEqual(expect.arrayContaining(Object.keys(files).map((name) => `.imported/${event.slug}/${name}`)))
})
