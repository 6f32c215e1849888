import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

const captureTimeExif = (DateTimeOriginal: string) => ({ IFD2: { DateTimeOriginal } })
async function withExif(exif: Record<string, Record<string, string>>, orientation = 1) {
  const picture = sharp(await jpeg({ width: 80, height: 40 })).withExif(exif)
  return Buffer.from(await picture.withMetadata({ orientation }).withExifMerge(exif).toBuffer())
}

describe('metadata of a file', () => {
  test('width and height are those of the oriented picture, captured_at is the camera time, read as UTC', async () => {
    const { body } = await api.upload(event.id, await withExif(captureTimeExif('2024:06:01 15:30:45'), 6))
    expect(body).toMatchObject({ width: 40, height: 80, captured_at: '2024-06-01T15:30:45.000Z' })
    const { body: other } = await api.upload(event.id, await withExif(captureTimeExif('9999:99:99 99:99:99')))
    expect(other).toMatchObject({ width: 80, height: 40, captured_at: null })
  })

  test('a replace keeps captured_at, and sets it only if it is missing', async () => {
    const replace = async (id: number, time: string) =>
      (await api.upload(event.id, await withExif(captureTimeExif(time)), { fields: { replaces_photo_id: id } })).body
        .photo
    const { body: withoutTime } = await api.upload(event.id, await jpeg())
    expect((await replace(withoutTime.id, '2024:06:01 15:30:45')).captured_at).toBe('2024-06-01T15:30:45.000Z')
    expect((await replace(withoutTime.id, '2020:01:01 00:00:00')).captured_at).toBe('2024-06-01T15:30:45.000Z')
  })

  test('camera, lens and exposure are those of the original, or null', async () => {
    const load = async (bytes: Buffer<ArrayBuffer>) => {
      const { body } = await api.upload(event.id, bytes)
      return (await admin.get(`/api/admin/photos/${event.id}/photos/${body.id}/camera`)).body
    }
    const IFD2 = {
      LensModel: ' EF 85mm\n',
      FocalLength: '85/1',
      FNumber: '18/10',
      ExposureTime: '1/200',
      ISOSpeedRatings: '400',
    }
    expect(await load(await withExif({ IFD0: { Make: 'Canon', Model: 'Canon EOS 40D' }, IFD2 }))).toEqual({
      camera: 'Canon EOS 40D',
      lens: 'EF 85mm',
      focal_length: 85,
      aperture: 1.8,
      exposure_time: 0.005,
      iso: 400,
    })
    const { camera, ...unknown } = await load(await withExif({ IFD0: { Make: 'Leica Camera AG', Model: 'M9' } }))
    expect(camera).toBe('Leica Camera AG M9')
    expect(Object.values(unknown)).toEqual([null, null, null, null, null])
  })
})

describe('pictures that need much memory to decode', () => {
  /** Changes the size in the header of a small JPEG. From this size the service estimates the memory for decoding. */
  async function withDeclaredSize(bytes: Buffer, width: number, height: number) {
    const frame = bytes.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(bytes[at + 1] ?? 0))
    const changed = Buffer.from(bytes)
    changed.writeUInt16BE(height, frame + 5)
    changed.writeUInt16BE(width, frame + 7)
    return changed
  }

  test('a progressive JPEG, an interlaced PNG and a GIF above the memory limit are 422', async () => {
    const progressive = await sharp(await jpeg())
      .jpeg({ progressive: true })
      .toBuffer()
    const base = sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    const png = Buffer.from(await base.clone().png({ progressive: true }).toBuffer())
    png.writeUInt32BE(12_000, 16)
    png.writeUInt32BE(12_000, 20)
    const gif = Buffer.from(await base.clone().gif().toBuffer())
    gif.writeUInt16LE(16_000, 6)
    gif.writeUInt16LE(16_000, 8)
    await admin.put('/api/admin/settings', { general_allowed_file_types: 'gif,jpg,png' })
    for (const bytes of [await withDeclaredSize(progressive, 16_000, 14_000), png, gif]) {
      expectProblem(await api.upload(event.id, bytes), 422, 'UNREADABLE_IMAGE')
    }
    await admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,jpeg,png,webp' })
  })

  test('a small progressive JPEG, interlaced PNG and CMYK JPEG are accepted', async () => {
    const base = sharp(await jpeg())
    const files = [
      await base.clone().jpeg({ progressive: true }).toBuffer(),
      await base.clone().png({ progressive: true }).toBuffer(),
      await base.clone().toColourspace('cmyk').jpeg().toBuffer(),
      await base.clone().greyscale().jpeg().toBuffer(),
    ]
    for (const bytes of files) {
      const { status, body } = await api.upload(event.id, Buffer.from(bytes))
      expect(status).toBe(201)
      expect(body).toMatchObject({ width: 60, height: 40 })
    }
  })
})
