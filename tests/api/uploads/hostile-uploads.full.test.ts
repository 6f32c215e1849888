import { beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { noisyPicture } from '../../support/media/image-files.ts'
import { declaredPng, jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

const html = '<!doctype html><script>alert(1)</script>'
const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('a file that is no image is 415 and leaves no file and no row', async () => {
  const before = await storedState(service)
  const files: Array<[string, Buffer<ArrayBuffer>, string, string]> = [
    ['text named .jpg', Buffer.from('hello'), 'photo.jpg', 'image/jpeg'],
    ['HTML named .jpg', Buffer.from(html), 'photo.jpg', 'image/jpeg'],
    ['SVG named .png', Buffer.from(svg), 'photo.png', 'image/png'],
    ['SVG as itself', Buffer.from(svg), 'photo.svg', 'image/svg+xml'],
    ['a PDF named .jpg', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'photo.jpg', 'image/jpeg'],
    ['a BMP', Buffer.from(`BM${'\0'.repeat(200)}`), 'photo.bmp', 'image/bmp'],
    ['a ZIP named .webp', Buffer.from('PK\u0003\u0004rest'), 'photo.webp', 'image/webp'],
    ['one byte', Buffer.from([0xff]), 'photo.jpg', 'image/jpeg'],
    ['zeros', Buffer.alloc(100_000), 'photo.jpg', 'image/jpeg'],
  ]
  for (const [what, bytes, name, type] of files) {
    const answer = await api.upload(event.id, bytes, { name, type })
    expect([answer.status, answer.body.code], what).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
  expect(await storedState(service)).toEqual(before)
})

test('an image that cannot be decoded is 422 and leaves no file and no row', async () => {
  const before = await storedState(service)
  const whole = await noisyPicture(640, 480).jpeg().toBuffer()
  const noise = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * index * 31) % 251))
  const signatures = [
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.from('RIFF\x10\0\0\0WEBPVP8 '),
  ]
  // Without the last two bytes, the end marker, the picture is still complete, so that such a cut may be accepted.
  const cuts = [3, 100, 1_000, 6_000, -50].map((length) => Buffer.from(whole.subarray(0, length)))
  const damaged = [...signatures, ...signatures.map((signature) => Buffer.concat([signature, noise])), ...cuts]
  for (const bytes of damaged) {
    const answer = await api.upload(event.id, bytes)
    expectProblem(answer, 422, 'UNREADABLE_IMAGE')
    expect(answer.body.details).toBeUndefined()
  }
  const sizes: Array<[number, number]> = [
    [16_384, 16_384],
    [2_147_483_647, 1],
    [0, 10],
    [4_000_000_000, 4_000_000_000],
  ]
  for (const size of sizes) {
    expectProblem(await api.upload(event.id, await declaredPng(...size)), 422, 'UNREADABLE_IMAGE')
  }
  const tooLarge = await api.upload(event.id, await declaredPng(100_000, 100_000))
  expectProblem(tooLarge, 422, 'UNREADABLE_IMAGE')
  // `kind` lets a program tell this rejection from a damaged file.
  expect(tooLarge.body.details).toEqual([{ path: '', message: expect.any(String), kind: 'too_many_pixels' }])
  expect(await storedState(service)).toEqual(before)
})

test('a hostile name is replaced by a safe one, also in the download', async () => {
  const upload = async (name: string) => (await api.upload(event.id, await jpeg(), { name })).body
  const names: Array<[string, string]> = [
    ['../../../etc/passwd.jpg', 'passwd.jpg'],
    ['C:\\Photos\\IMG_1.jpg', 'IMG_1.jpg'],
    ['\u2066party\u202egpj.exe\u200f.jpg', 'partygpj.exe.jpg'],
    ['<img src=x onerror=alert(1)>.jpg', '<img src=x onerror=alert(1)>.jpg'],
  ]
  for (const [name, kept] of names) {
    const body = await upload(name)
    expect(body).toMatchObject({ original_filename: kept, source_filename: kept })
    expect(body.filename).toMatch(/^\d{13}_[0-9a-f]{8}\.jpg$/)
  }
  expect((await upload('\u0001\u0002')).original_filename).toMatch(/^[^./\\\s][^/\\]*\.jpg$/)
  const { original_filename } = await upload(`${'💍'.repeat(10_000)}.jpeg`)
  expect(original_filename.length).toBeLessThanOrEqual(255)
  expect(original_filename).toMatch(/^(💍)+\.jpeg$/u)

  const { id, original_filename: kept } = await upload('"; filename=evil.exe; x="\u{1f48d}.jpg')
  const guest = await enterAsGuest(service, event)
  const { headers } = await guest.get(`/api/gallery/${event.slug}/download/${id}`)
  const disposition = headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^attachment; filename="(\\"|[^"])*"; filename\*=UTF-8''[A-Za-z0-9%!#$&+.^_`|~-]+$/)
  expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(kept)
})
