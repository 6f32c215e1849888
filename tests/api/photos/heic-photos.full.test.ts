import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import {
  auxiliaryItems,
  codedItem,
  createHeic,
  exifItem,
  type HeicItem,
  sizeProperty,
  turnProperty,
} from '../../support/media/heic-files.ts'
import { readLocationMetadata } from '../../support/media/pictures-with-location.ts'
import { createTiff } from '../../support/media/raw-files.ts'
import { allowVideos as allowTypes } from '../../support/media/videos.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api } = service

const exif = createTiff([
  [
    [0x010f, 'Camera'],
    [0x0112, { short: 6 }],
    [0x8298, 'Ana'],
    [0x8769, { directories: [[[0x9003, '2026:06:13 14:30:20']]] }],
    [
      0x8825,
      {
        directories: [
          [
            [1, 'N'],
            [2, { rationals: [64, 1, 8, 1, 45, 1] }],
            [3, 'W'],
            [4, { rationals: [21, 1, 56, 1, 0, 1] }],
          ],
        ],
      },
    ],
  ],
])
/** Red, lime, blue and white quarters, which a quarter of a turn against the clock makes lime, white, red and blue. */
const turned = [codedItem('full-601', turnProperty(1)), ...auxiliaryItems()]
const heic = createHeic([...turned, exifItem(Buffer.concat([Buffer.from('Exif\0\0'), exif]))])

async function upload(bytes: Buffer<ArrayBuffer>) {
  await allowTypes(service, 'jpg,heic')
  const event = await createEvent(api)
  const uploaded = await api.upload(event.id, bytes, { name: 'IMG_1.HEIC', type: 'image/heic' })
  return { event, uploaded }
}

test('guests see and get an upright JPEG of full size without location, and tokens the unchanged file', async () => {
  expect(await readLocationMetadata(heic)).toMatchObject({ gps: { GPSLatitudeRef: 'N' } })
  const { event, uploaded } = await upload(heic)
  expect(uploaded).toMatchObject({ status: 201, body: { width: 96, height: 128, mime_type: 'image/heic' } })
  const { id } = uploaded.body
  const guest = await enterAsGuest(service, event)
  const seen = await guest.get(`/api/gallery/${event.slug}/photo/${id}`)
  expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(await readLocationMetadata(seen.bytes)).toMatchObject({ make: 'Camera', gps: undefined })
  const picture = sharp(seen.bytes, { failOn: 'warning' })
  expect(await picture.metadata()).toMatchObject({ width: 96, height: 128, orientation: 1 })
  const [red = 255, green = 0, blue = 255] = await picture
    .extract({ left: 20, top: 20, width: 1, height: 1 })
    .raw()
    .toBuffer()
  expect([red < 20, green > 235, blue < 20]).toEqual([true, true, true])
  const original = await api.get(`/api/v1/events/${event.id}/photos/${id}/download`)
  expect(original.bytes.equals(heic)).toBe(true)
})

const sized = (width: number, height: number): HeicItem => {
  const item = codedItem('full-601')
  return { ...item, properties: [...(item.properties ?? []).slice(0, 1), sizeProperty(width, height)] }
}

test.for<[name: string, bytes: Buffer<ArrayBuffer>, text: RegExp]>([
  ['without its end', heic.subarray(0, heic.length - 1300), /damaged/],
  ['of garbage', createHeic([{ ...codedItem('full-601'), content: Buffer.alloc(300, 0xaa) }]), /damaged/],
  ['of too many pixels', createHeic([sized(10_000, 7000)]), /more pixels/],
  ['of another form', createHeic([{ type: 'iovl', content: Buffer.alloc(20) }]), /form of HEIC is not supported/],
])('a HEIC file %s is rejected', async ([, bytes, text]) => {
  const { uploaded } = await upload(bytes)
  expectProblem(uploaded, 422, 'UNREADABLE_IMAGE')
  expect(uploaded.body.error).toMatch(text)
})
