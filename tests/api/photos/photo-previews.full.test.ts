import exifr from 'exifr'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { getStoredOriginal, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import {
  createQuarteredPicture,
  exifWithLocation,
  noisyPicture,
  readQuarters,
} from '../../support/media/image-files.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { api } = service
let event: TestEvent
let photoId: number
beforeAll(async () => {
  event = await createEvent(api)
  photoId = await upload(Buffer.from(await noisyPicture(2000, 1000).jpeg().toBuffer()))
})

const upload = async (bytes: Buffer<ArrayBuffer>): Promise<number> => (await api.upload(event.id, bytes)).body.id
const webp = { accept: 'image/avif,image/webp,*/*;q=0.8' }
const previewPath = (id = photoId, query = '') => `/api/v1/events/${event.id}/photos/${id}/preview${query}`
const preview = (query = '', headers: Record<string, string> = {}, id = photoId) =>
  api.get(previewPath(id, query), headers)
const renditionRows = (id: number): unknown[] =>
  readDatabase(service, (stored) => stored.prepare('select * from photo_renditions where photo_id = ?').all(id))

test('?w= is a rendition width, 1280 for other values, never above the original', { tags: 'storage' }, async () => {
  const widths: Array<[query: string, width: number]> = [
    ['?w=640', 640],
    ['?w=2560', 2000],
    ['', 1280],
    ['?w=641', 1280],
    ['?w=640&w=640', 1280],
  ]
  for (const [query, width] of widths) {
    const { status, headers, bytes } = await preview(query)
    expect([status, headers.get('content-type')], query).toEqual([200, 'image/jpeg'])
    expect(await sharp(bytes).metadata(), query).toMatchObject({ format: 'jpeg', width, height: width / 2 })
  }
  const small = await upload(await jpeg({ width: 90, height: 60, seed: 5 }))
  const answers = await Promise.all(['?w=640', '?w=2560'].map((query) => preview(query, {}, small)))
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  expect(renditionRows(small)).toHaveLength(1)
})

test('the response is WebP if Accept contains it, else JPEG, each with its own ETag', async () => {
  const etags = new Set<string>()
  for (const [accept = '', format] of [
    [webp.accept, 'webp'],
    ['image/*,*/*', 'jpeg'],
    ['image/webp;q=0,*/*', 'jpeg'],
  ]) {
    const { headers, bytes } = await preview('?w=640', { accept })
    expect([headers.get('content-type'), headers.get('vary')]).toEqual([`image/${format}`, 'Accept'])
    expect(headers.get('content-disposition')).toBeNull()
    expect((await sharp(bytes).metadata()).format).toBe(format)
    etags.add(headers.get('etag') ?? '')
  }
  const [ofWebp = '', ofJpeg = '', ...others] = etags
  expect(others).toEqual([])
  expect((await preview('?w=640', { ...webp, 'if-none-match': ofJpeg })).status).toBe(200)
  expect((await preview('?w=640', { ...webp, 'if-none-match': ofWebp })).status).toBe(304)
})

test('a preview is upright, without a location and a camera', async () => {
  const source = await (await createQuarteredPicture(800, 1200, 'GWRB'))
    .withExif(exifWithLocation)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(await exifr.gps(source)).toMatchObject({ latitude: 51.5 })
  const id = await upload(Buffer.from(source))
  for (const headers of [{}, webp]) {
    const { bytes } = await preview('?w=640', headers, id)
    expect(await readQuarters(bytes)).toBe('RGBW')
    const { exif, xmp, orientation, width, height } = await sharp(bytes).metadata()
    expect({ exif, xmp, orientation, width, height }).toEqual({ width: 640, height: 427 })
  }
})

test('a missing or damaged original has no preview: 404, and nothing is stored', async () => {
  const damages = {
    missing: 'PHOTO_FILE_MISSING',
    'cut short': 'PHOTO_FILE_MISSING',
    'replaced by a folder': 'PHOTO_FILE_MISSING',
    'overwritten to its length': 'PREVIEW_UNAVAILABLE',
  }
  for (const [how, code] of Object.entries(damages)) {
    const id = await upload(Buffer.from(await noisyPicture(400, 300).jpeg().toBuffer()))
    const file = getStoredOriginal(service, event.id, id)
    if (how === 'missing') await file.remove()
    else if (how === 'cut short') await file.resize(20_000)
    else if (how === 'replaced by a folder') await file.replaceWithFolder()
    else await file.write(Buffer.alloc((await file.read()).length, 7))
    for (let round = 0; round < 2; round++) expectProblem(await preview('', {}, id), 404, code)
    expect(renditionRows(id), how).toEqual([])
  }
  expect((await preview('?w=1920', webp)).status).toBe(200)
  expect((await listStoredFiles(service)).filter((path) => path.startsWith('staging/'))).toEqual([])
})
