import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { storedState } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { noisyPicture } from '../../support/media/image-files.ts'
import { animatedGif, declaredPng, jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { api } = service
let event: TestEvent
beforeAll(async () => {
  event = await createEvent(api)
})

const html = '<!doctype html><script>alert(1)</script>'
const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

describe('a rejected file leaves no file and no row', () => {
  let before: Awaited<ReturnType<typeof storedState>>
  beforeEach(async () => {
    before = await storedState(service)
  })
  afterEach(async () => {
    expect(await storedState(service)).toEqual(before)
  })

  const notImages: Array<[string, Buffer<ArrayBuffer>, string, string]> = [
    ['text named .jpg', Buffer.from('hello'), 'photo.jpg', 'image/jpeg'],
    ['HTML named .jpg', Buffer.from(html), 'photo.jpg', 'image/jpeg'],
    ['SVG named .png', Buffer.from(svg), 'photo.png', 'image/png'],
    ['SVG as itself', Buffer.from(svg), 'photo.svg', 'image/svg+xml'],
    ['a PDF named .jpg', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'photo.jpg', 'image/jpeg'],
    ['a BMP', Buffer.from(`BM${'\0'.repeat(200)}`), 'photo.bmp', 'image/bmp'],
    ['a ZIP named .webp', Buffer.from('PK\u0003\u0004rest'), 'photo.webp', 'image/webp'],
    ['zero bytes', Buffer.alloc(0), 'photo.jpg', 'image/jpeg'],
    ['one byte', Buffer.from([0xff]), 'photo.jpg', 'image/jpeg'],
    ['zeros', Buffer.alloc(100_000), 'photo.jpg', 'image/jpeg'],
  ]
  test.each(notImages)('%s is 415', async (_name, bytes, name, type) => {
    expectProblem(await api.upload(event.id, bytes, { name, type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('a PNG that declares 100,000 x 100,000 pixels is 422', async () => {
    const bytes = await declaredPng(100_000, 100_000)
    const answer = await api.upload(event.id, bytes)
    expectProblem(answer, 422, 'UNREADABLE_IMAGE')
    // `kind` lets a program tell this rejection from a damaged file.
    expect(answer.body.details).toEqual([{ path: '', message: expect.any(String), kind: 'too_many_pixels' }])
  })

  test.each([
    [16_384, 16_384],
    [2_147_483_647, 1],
    [0, 10],
    [4_000_000_000, 4_000_000_000],
  ])('a PNG that declares %i x %i pixels is 422', async (width, height) => {
    expectProblem(await api.upload(event.id, await declaredPng(width, height)), 422, 'UNREADABLE_IMAGE')
  })

  const signatures = {
    JPEG: [0xff, 0xd8, 0xff, 0xe0],
    PNG: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    WebP: [...Buffer.from('RIFF\x10\0\0\0WEBPVP8 ')],
  }
  test.each(Object.entries(signatures))('a %s signature followed by noise is 422', async (_name, signature) => {
    const noise = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * index * 31) % 251))
    const answer = await api.upload(event.id, Buffer.concat([Buffer.from(signature), noise]))
    expectProblem(answer, 422, 'UNREADABLE_IMAGE')
    expect(answer.body.details).toBeUndefined()
    expectProblem(await api.upload(event.id, Buffer.from(signature)), 422, 'UNREADABLE_IMAGE')
  })

  test('an animated GIF is 415 unless the settings allow it', async () => {
    const answer = await api.upload(event.id, await animatedGif(), { name: 'fun.gif', type: 'image/gif' })
    expectProblem(answer, 415, 'FILE_TYPE_NOT_ALLOWED')
  })
})

describe('a truncated JPEG is 422 and leaves nothing behind', () => {
  // Without the last two bytes, the end marker, the picture is still complete, so that such a cut may be accepted.
  test.each([3, 20, 100, 400, 1_000, 3_000, 6_000, -50])('cut at byte %i', async (length) => {
    const before = await storedState(service)
    const whole = await noisyPicture(640, 480).jpeg().toBuffer()
    expect(whole.length).toBeGreaterThan(6_000)
    const answer = await api.upload(event.id, Buffer.from(whole.subarray(0, length)))
    expectProblem(answer, 422, 'UNREADABLE_IMAGE')
    expect(await storedState(service)).toEqual(before)
  })
})

describe('a hostile name is replaced by a safe one', () => {
  const names: Array<[string, string]> = [
    ['../../../etc/passwd.jpg', 'passwd.jpg'],
    ['..\\..\\windows\\system.jpg', 'system.jpg'],
    ['/etc/shadow.jpg', 'shadow.jpg'],
    ['C:\\Photos\\IMG_1.jpg', 'IMG_1.jpg'],
    ['a\u0001b\u0007c\u001b[31m\u007f.jpg', 'abc[31m.jpg'],
    ['💍 Zoë & 名前.jpg', '💍 Zoë & 名前.jpg'],
    ['👩\u200d🎤.jpg', '👩\u200d🎤.jpg'],
    ['\u2066party\u202egpj.exe\u200f.jpg', 'partygpj.exe.jpg'],
    ['e\u0301te\u0301.jpg', '\u00e9t\u00e9.jpg'],
    ['<img src=x onerror=alert(1)>.jpg', '<img src=x onerror=alert(1)>.jpg'],
    ["'; drop table photos; --.jpg", "'; drop table photos; --.jpg"],
    ['CON.jpg', 'CON.jpg'],
  ]
  test.each(names)('%j', async (name, kept) => {
    const { status, body } = await api.upload(event.id, await jpeg(), { name })
    expect(status).toBe(201)
    expect(body).toMatchObject({ original_filename: kept, source_filename: kept })
    expect(body.filename).toMatch(/^\d{13}_[0-9a-f]{8}\.jpg$/)
  })

  test.each(['..', '.', '../', '\u0001\u0002', ' '])('%j gets a generated name', async (name) => {
    const { status, body } = await api.upload(event.id, await jpeg(), { name })
    expect(status).toBe(201)
    expect(body.original_filename).toMatch(/^[^./\\\s][^/\\]*\.jpg$/)
  })

  test('10,000 characters are cut to at most 255 with the extension', async () => {
    for (const letter of ['x', 'ü', '💍']) {
      const { status, body } = await api.upload(event.id, await jpeg(), { name: `${letter.repeat(10_000)}.jpeg` })
      expect(status).toBe(201)
      expect(body.original_filename.length).toBeLessThanOrEqual(255)
      expect(body.original_filename).toMatch(new RegExp(`^(${letter})+\\.jpeg$`, 'u'))
    }
  })

  test('the download has a safe name', async () => {
    const name = '"; filename=evil.exe; x="\u{1f48d}.jpg'
    const { body } = await api.upload(event.id, await jpeg(), { name })
    const guest = await enterAsGuest(service, event)
    const { headers } = await guest.get(`/api/gallery/${event.slug}/download/${body.id}`)
    const disposition = headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="(\\"|[^"])*"; filename\*=UTF-8''[A-Za-z0-9%!#$&+.^_`|~-]+$/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(body.original_filename)
  })
})
