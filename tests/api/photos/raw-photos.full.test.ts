import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { must } from '../../../contract/must.ts'
import type { RawKind } from '../../../server/platform/media/raw/detect-raw-kind.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { city, readLocationMetadata } from '../../support/media/pictures-with-location.ts'
import {
  createRawFile,
  decodableCr3,
  type RawLayout,
  rawLayouts,
  rawPictureSize,
} from '../../support/media/raw-files.ts'
import { readArchiveDirectory, readArchiveFiles } from '../../support/media/read-archive.ts'
import { allowVideos as allowTypes, sendVideo as sendInChunks } from '../../support/media/videos.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { adminUploadsPath } from '../../support/uploads/chunked-uploads.ts'

const service = await serviceForFile()
const { api, admin } = service
const allTypes = 'jpg,heic,cr2,cr3,nef,arw,raf,orf,rw2,dng,pef'

const findLayout = (kind: RawKind): RawLayout =>
  must(
    rawLayouts.find((layout) => layout.kind === kind),
    kind,
  )
const layout = findLayout('nef')
const raw = Buffer.from(await createRawFile(layout, { isLocated: true }))

async function uploadRaw(event: TestEvent, name = 'DSC_1.NEF') {
  const { status, body } = await api.upload(event.id, raw, { name, type: 'image/x-nikon-nef' })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

async function createRawGallery(fields: Record<string, unknown> = {}) {
  await allowTypes(service, allTypes)
  const event = await createEvent(api, fields)
  const { id } = await uploadRaw(event)
  const guest = await enterAsGuest(service, event)
  const get = (path: string, client: TestClient = guest) => client.get(`/api/gallery/${event.slug}/${path}`)
  return { event, id: id as number, get }
}

test('a RAW file is rejected with the name of the setting until that allows it, whatever its name and type say', async () => {
  await allowTypes(service, 'jpg,tiff')
  const event = await createEvent(api)
  const text = (kind: string) =>
    `${kind.toUpperCase()} files are not allowed. The setting general_allowed_file_types can allow them (${kind}).`
  const dng = Buffer.from(await createRawFile(findLayout('dng')))
  for (const [bytes, name, type, kind] of [
    [raw, 'a.NEF', 'image/x-nikon-nef', 'nef'],
    [raw, 'a.jpg', 'image/jpeg', 'nef'],
    [dng, 'a.tiff', 'image/tiff', 'dng'],
  ] as const) {
    const rejected = await api.upload(event.id, bytes, { name, type })
    expectProblem(rejected, 415, 'FILE_TYPE_NOT_ALLOWED')
    expect(rejected.body.error).toBe(text(kind))
  }
  const init = await admin.post(`${adminUploadsPath(event.id)}/init`, { filename: 'a.NEF', fileSize: raw.length })
  expect([init.status, init.body.code, init.body.error]).toEqual([400, 'FILE_TYPE_NOT_ALLOWED', text('nef')])
  expectProblem(await sendInChunks(admin, event.id, dng, { name: 'a.tiff' }), 415, 'FILE_TYPE_NOT_ALLOWED')
  await allowTypes(service, 'nef')
  const undeclared = await api.upload(event.id, raw, { name: 'a.NEF', type: 'application/octet-stream' })
  expectProblem(undeclared, 415, 'UNSUPPORTED_MEDIA_TYPE')
  const { body } = await sendInChunks(admin, event.id, raw, { name: 'a.NEF' })
  expect(body.photos).toMatchObject([{ media_type: 'image', mime_type: 'image/x-nikon-nef', size_bytes: raw.length }])
  expect((await listStoredFiles(service)).filter((name) => /(^|\/)staging\//.test(name))).toEqual([])
})

const kinds = [...new Set(rawLayouts.map(({ kind }) => kind))]

test.for(kinds)(
  'a %s file of the public API has the size of its upright picture',
  { tags: 'nightly' },
  async (kind) => {
    await allowTypes(service, allTypes)
    const event = await createEvent(api)
    for (const layout of rawLayouts.filter((one) => one.kind === kind && one.format === 'jpeg')) {
      const bytes = Buffer.from(await createRawFile(layout))
      const { status, body } = await api.upload(event.id, bytes, { name: `a.${kind}`, type: 'image/x-any' })
      const { width: height, height: width } = rawPictureSize(layout)
      expect([status, body.width, body.height], layout.layout).toEqual([201, width, height])
    }
  },
)

test('guests see and get a JPEG without location; operators and tokens the unchanged file', {
  tags: 'storage',
}, async () => {
  const { event, id, get } = await createRawGallery()
  const [photo] = (await get('photos')).body.photos
  const seen = await get(`photo/${id}`)
  const downloaded = await get(`download/${id}`)
  for (const { status, headers, bytes } of [seen, downloaded]) {
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(bytes.includes(city)).toBe(false)
    expect(await readLocationMetadata(bytes)).toMatchObject({ make: 'NIKON CORPORATION', gps: undefined })
  }
  expect(seen.bytes.equals(downloaded.bytes)).toBe(true)
  expect(downloaded.headers.get('content-disposition')).toContain('filename=DSC_1.jpg')
  expect(photo).toMatchObject({
    ...{ original_filename: 'DSC_1.NEF', mime_type: 'image/jpeg', size_bytes: downloaded.bytes.length },
    ...{ allow_download: true, allow_original_download: false },
  })
  const { width: height, height: width } = rawPictureSize(layout)
  expect((await sharp(seen.bytes).metadata()).autoOrient).toEqual({ width, height })
  expect(await sharp((await get(`photo/${id}?w=640`)).bytes).metadata()).toMatchObject({ width, height })
  expect(await sharp((await get(`thumbnail/${id}`)).bytes).metadata()).toMatchObject({ format: 'jpeg', height: 480 })

  const base = `/api/v1/events/${event.id}`
  const original = await api.get(`${base}/photos/${id}/download`)
  expect(original.headers.get('content-disposition')).toContain('filename=DSC_1.NEF')
  for (const { bytes } of [original, await get(`download/${id}`, admin)]) expect(bytes.equals(raw)).toBe(true)
  const resized = await api.get(`${base}/photos/${id}/download?resolution=200x200`)
  expect(await sharp(resized.bytes).metadata()).toMatchObject({ format: 'jpeg', height: 200 })
  const fitting = await api.get(`${base}/photos/${id}/download?resolution=2000x2000`)
  expect(fitting.bytes.equals(seen.bytes)).toBe(true)
  for (const { bytes } of [
    await get(`photo/${id}`, admin),
    await admin.get(`/api/admin/photos/${event.id}/photo/${id}`, { accept: 'image/*' }),
  ]) {
    expect(bytes.equals(seen.bytes)).toBe(true)
  }
  expect((await api.get(base)).body.total_size).toBe(raw.length + seen.bytes.length)
})

test('a ZIP of guests has the JPEG, also beside one of the same name, and that of a token the original', async () => {
  const { event, id, get } = await createRawGallery()
  const beside = await jpeg({ seed: 4 })
  await api.upload(event.id, beside, { name: 'DSC_1.jpg' })
  const { bytes } = await get('download-all')
  const entries = readArchiveDirectory((at, length) => bytes.subarray(at, at + length), bytes.length)
  const files = readArchiveFiles(bytes)
  expect(entries.map(({ name }) => name)).toEqual(['DSC_1.jpg', 'DSC_1_1.jpg'])
  for (const entry of entries) expect(crc32(must(files.get(entry.name), entry.name))).toBe(entry.crc32)
  expect(files.get('DSC_1.jpg')?.equals((await get(`download/${id}`)).bytes)).toBe(true)
  const { body: estimate } = await get('download-estimate')
  expect(estimate).toMatchObject({ count: 2, ready: true, bytes: bytes.length })
  const originals = readArchiveFiles((await api.get(`/api/v1/events/${event.id}/photos/download`)).bytes)
  expect([originals.get('DSC_1.NEF')?.equals(raw), originals.get('DSC_1.jpg')?.equals(beside)]).toEqual([true, true])
})

test('with a watermark and a size limit, guests get a picture made of the JPEG', async () => {
  const { id, get } = await createRawGallery({
    watermark_downloads: true,
    download_max_px: 320,
    allow_raw_downloads: true,
  })
  for (const path of [`photo/${id}`, `download/${id}`]) {
    expect(await sharp((await get(path)).bytes).metadata()).toMatchObject({ format: 'jpeg', height: 320 })
  }
  expect((await get('photos')).body.photos[0].allow_original_download).toBe(false)
  expectProblem(await get(`download/${id}?original=true`), 403, 'DOWNLOAD_DISABLED')
})

test('guests download the original without its location only where the event allows it', async () => {
  const { event, id, get } = await createRawGallery()
  expectProblem(await get(`download/${id}?original=true`), 403, 'DOWNLOAD_DISABLED')
  await api.patch(`/api/v1/events/${event.id}`, { allow_raw_downloads: true })
  expect((await get('photos')).body.photos[0].allow_original_download).toBe(true)
  const { status, headers, bytes } = await get(`download/${id}?original=true`)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/x-nikon-nef'])
  expect(headers.get('content-disposition')).toContain('filename=DSC_1.NEF')
  expect([bytes.length, bytes.equals(raw), bytes.includes(city)]).toEqual([raw.length, false, false])
  expect((await get(`download/${id}`)).headers.get('content-type')).toBe('image/jpeg')
  const { id: plain } = (await api.upload(event.id, await jpeg())).body
  expect((await get(`download/${plain}?original=true`)).headers.get('content-type')).toBe('image/jpeg')
})

const listDerived = async (eventId: number) =>
  (await listStoredFiles(service))
    .map((name) => name.replace(`files/events/${eventId}/`, ''))
    .filter((name) => /^(originals|stills|thumbnails)\//.test(name))
    .sort()
const listKinds = async (eventId: number) => (await listDerived(eventId)).map((name) => name.split('/')[0])
const listRetired = (eventId: number) =>
  readDatabase(service, (stored) => stored.prepare('select key from retired_files').all() as Array<{ key: string }>)
    .map(({ key }) => key)
    .filter((key) => key.startsWith(`events/${eventId}/`))

test('a RAW file is replaced by a JPEG and back; its JPEG stays for running downloads and then goes with it', async () => {
  const { event, id, get } = await createRawGallery()
  const still = (await listDerived(event.id)).find((name) => name.startsWith('stills/'))
  const fields = { replaces_photo_id: id }
  const picture = await jpeg({ seed: 7, width: 90, height: 60 })
  expect((await api.upload(event.id, picture, { fields })).status).toBe(200)
  expect((await get(`photo/${id}`)).bytes.equals(picture)).toBe(true)
  expect(await listRetired(event.id)).toContain(`events/${event.id}/${still}`)
  expect((await api.get(`/api/v1/events/${event.id}`)).body.total_size).toBe(picture.length)
  const undone = await admin.post(`/api/admin/photos/${event.id}/photos/${id}/undo-replacement`, {})
  expect(undone.body.photo).toMatchObject({ mime_type: 'image/x-nikon-nef', original_filename: 'DSC_1.NEF' })
  const { bytes } = await get(`photo/${id}`)
  expect((await sharp(bytes).metadata()).format).toBe('jpeg')

  await admin.post(`/api/admin/photos/${event.id}/trash`, { photoIds: [id] })
  const { total_size } = (await admin.get(`/api/admin/photos/${event.id}/trash`)).body
  expect(total_size).toBe(raw.length + bytes.length)
  await admin.post(`/api/admin/photos/${event.id}/trash/bulk-restore`, { photoIds: [id] })
  expect((await get(`photo/${id}`)).bytes.equals(bytes)).toBe(true)
  expect((await api.get(`/api/v1/events/${event.id}`)).body.total_size).toBe(raw.length + bytes.length)

  expect((await api.delete(`/api/v1/events/${event.id}/photos/${id}`)).status).toBe(200)
  expect(new Set(await listKinds(event.id))).toEqual(new Set(['originals', 'stills']))
  expect((await listRetired(event.id)).map((key) => key.split('/')[2]).sort()).toEqual([
    'originals',
    'originals',
    'originals',
    'stills',
    'stills',
  ])
})

test('the HEVC preview of a CR3 file is decoded, and one that cannot be decoded gets a neutral picture', async () => {
  await allowTypes(service, allTypes)
  const event = await createEvent(api)
  const measure = async (layout: RawLayout) => {
    const bytes = Buffer.from(await createRawFile(layout))
    const { status, body } = await api.upload(event.id, bytes, { name: 'a.CR3', type: 'image/x-canon-cr3' })
    expect({ status, body }).toMatchObject({ status: 201 })
    const { bytes: thumbnail } = await admin.get(`/api/admin/photos/${event.id}/thumbnail/${body.id}`)
    const { channels } = await sharp(thumbnail).stats()
    return { width: body.width, height: body.height, hasContent: channels.some(({ stdev }) => stdev > 5) }
  }
  expect(await measure(decodableCr3)).toEqual({ width: 512, height: 512, hasContent: true })
  const broken = must(
    rawLayouts.find(({ kind, format }) => kind === 'cr3' && format === 'hevc'),
    'a CR3 file with HEVC',
  )
  expect(await measure(broken)).toMatchObject({ hasContent: false })
})
